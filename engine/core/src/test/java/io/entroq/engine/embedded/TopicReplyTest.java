package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.CopyIds;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a result says of copies, and that a log of inserts into topics replays to the same state.
 */
class TopicReplyTest {
  private final ManualClock clock = new ManualClock(TestEntroQ.START);
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final ExpandableArrayBuffer policies = new ExpandableArrayBuffer();
  @TempDir Path directory;

  private DrivenEngine open() {
    return DrivenEngine.open(
        EmbeddedConfig.in(directory).clock(clock).build(), (sequence, result) -> {});
  }

  private int putTopic(DrivenEngine engine, String name, String... groups) {
    PolicyEncoder policy = new PolicyEncoder().wrap(policies, 0).name(slice(name));
    for (String group : groups) {
      policy.group(slice(group));
    }
    int length =
        new ModifyEncoder().wrap(buffer, 0).policyPut(policies, 0, policy.length()).length();
    return engine.executeEncoded(RecordType.MODIFY, buffer, 0, length);
  }

  private int insert(DrivenEngine engine, long number, String queue, long... ids) {
    TaskDataFields data = new TaskDataFields();
    data.queue().wrap(queue.getBytes(StandardCharsets.UTF_8));
    data.valueKind(1).value().wrap(new byte[100]);
    ModifyEncoder modify = new ModifyEncoder().wrap(buffer, 0).identity(1, 1, number, 1);
    for (long id : ids) {
      modify.insert(new IdFields().set(9, id), data);
    }
    return engine.executeEncoded(RecordType.MODIFY, buffer, 0, modify.length());
  }

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> inserted(ResultDecoder result) {
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < result.insertedCount(); i++) {
      String queue =
          result
              .buffer()
              .getStringWithoutLengthUtf8(
                  result.inserted(i).queueOffset(), result.inserted(i).queueLength());
      tasks.add(queue + " " + result.inserted(i).idHigh() + ":" + result.inserted(i).idLow());
    }
    return tasks;
  }

  private static String copy(String queue, long id) {
    byte[] group = queue.substring(queue.indexOf('/') + 1).getBytes(StandardCharsets.UTF_8);
    long hash = CopyIds.hash(new UnsafeBuffer(group), 0, group.length);
    return queue + " " + CopyIds.high(9, hash) + ":" + CopyIds.low(9, id, hash);
  }

  @Test
  void shouldNameTheQueuesOfCopiesAlone() {
    try (DrivenEngine engine = open()) {
      assertThat(insert(engine, 1, "q", 1)).isEqualTo(ResultCodes.OK);
      assertThat(inserted(engine.result())).containsExactly(" 9:1");
      assertThat(putTopic(engine, "T", "a", "b")).isEqualTo(ResultCodes.OK);
      assertThat(insert(engine, 2, "T", 2, 3)).isEqualTo(ResultCodes.OK);
      assertThat(inserted(engine.result()))
          .containsExactly(copy("T/a", 2), copy("T/b", 2), copy("T/a", 3), copy("T/b", 3));
      assertThat(insert(engine, 2, "T", 2, 3)).as("again").isEqualTo(ResultCodes.OK);
      assertThat(inserted(engine.result())).hasSize(4);
      assertThat(insert(engine, 3, "T", 2)).isEqualTo(ResultCodes.DEPENDENCY);
      assertThat(copy("T/a", 2)).endsWith(":" + engine.result().failure(0).existingIdLow());
    }
  }

  @Test
  void shouldReplayToTheSameStateAfterAKill() {
    DrivenEngine killed = open();
    putTopic(killed, "T", "a", "b", "c");
    for (int i = 1; i <= 20; i++) {
      assertThat(insert(killed, i, "T", i, 100 + i)).isEqualTo(ResultCodes.OK);
    }
    long content = killed.machine().contentDigest();
    killed.abandon();
    try (DrivenEngine engine = open()) {
      assertThat(engine.machine().contentDigest()).isEqualTo(content);
      assertThat(insert(engine, 20, "T", 20, 120)).as("a retry").isEqualTo(ResultCodes.OK);
      assertThat(inserted(engine.result())).hasSize(6).contains(copy("T/c", 120));
    }
  }
}
