package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.Attributes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskAttributes;
import io.entroq.engine.task.TaskStore;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes, which every change keeps that does not name them. */
class TaskAttributesTest extends StateTestBase {
  private static final int FLAGS = 4;
  private static final int ITEM_BYTES = 112;

  @ParameterizedTest
  @CsvSource({"'',''", "value,''", "'',err", "v,e", "value,'it failed again'"})
  void shouldKeepAttributesInEveryChange(String value, String err) {
    insertWith(1, value, err);
    attributes(1, "of a task");
    assertContent(1, value, "of a task", err);
    apply(claim(BOB, "q"));
    apply(modify(BOB).addChanges(changeTo(1, 1, "another", "")));
    assertContent(1, "another", "of a task", "");
    apply(modify(BOB).addChanges(changeTo(1, 2, "", "another err")));
    assertContent(1, "", "of a task", "another err");
    apply(
        modify(BOB).addChanges(changeTo(1, 3, value, err).setMode(ChangeMode.CHANGE_RESET_CLAIMS)));
    assertContent(1, value, "of a task", err);
    apply(modify(BOB).addChanges(lease(1, 4)));
    assertContent(1, value, "of a task", err);
    assertThat(find(1).version()).isEqualTo(5);
  }

  @Test
  void shouldNotTakeOverAttributesOfADeletedTask() {
    insertWith(1, "value", "err");
    attributes(1, "of a task");
    apply(modify(ANN).addDeletes(ref(1, 0)));
    insertWith(1, "value", "err");
    assertContent(1, "value", "", "err");
  }

  @Test
  void shouldLastInAnImageAndCountInTheDigest() {
    long[] digests = new long[2];
    for (int i = 0; i < 4; i++) {
      insertWith(10 + i, "v".repeat(i), "e".repeat(i));
      attributes(10 + i, "a".repeat(1 + i));
    }
    insertWith(20, "value", "err");
    digests[0] = machine.contentDigest();
    attributes(20, "x");
    digests[1] = machine.contentDigest();
    attributes(20, "y");
    assertThat(machine.contentDigest()).isNotIn(digests[0], digests[1]);
    StateLoader loader = new StateLoader(new StateMachineConfig(1, 1, 1));
    machine.freeze().writeTo(loader);
    machine.thaw();
    try (StateMachine loaded = loader.finish()) {
      assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
      for (int i = 0; i < 4; i++) {
        assertContent(loaded, 10 + i, "v".repeat(i), "a".repeat(1 + i), "e".repeat(i));
      }
      assertContent(loaded, 20, "value", "y", "err");
    }
  }

  @Test
  void shouldRefuseAnImageWithDamagedAttributes() {
    insertWith(1, "v", "err");
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, FLAGS, 1 | 1 << 5))
        .contains("bytes missing at the end of the chunk");
    attributes(1, "ab");
    int length = ITEM_BYTES + 1;
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, length, 4)).isEqualTo("loaded");
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, length, 0))
        .contains("bytes of attributes 0");
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, length, -1))
        .contains("bytes of attributes -1");
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, length, 3))
        .contains("attributes of a task");
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, length, 5))
        .contains("attributes of a task");
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, length + 4, 0x63610212))
        .contains("its content has the digest");
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, length + 4, 0x63610312))
        .contains("attributes of a task");
  }

  private void insertWith(long id, String value, String err) {
    apply(modify(ANN).addInserts(Insert.newBuilder().setId(task(id)).setData(data(value, err))));
  }

  private TaskData data(String value, String err) {
    return data("q", nowMs).toBuilder()
        .setValueKind(value.isEmpty() ? ValueKind.VALUE_ABSENT : ValueKind.VALUE_BYTES)
        .setValue(ByteString.copyFromUtf8(value))
        .setErr(err)
        .build();
  }

  private Change.Builder changeTo(long id, int version, String value, String err) {
    return Change.newBuilder().setId(task(id)).setVersion(version).setData(withData(value, err));
  }

  private TaskData withData(String value, String err) {
    return data(value, err).toBuilder().setByMs(10).build();
  }

  private static Change lease(long id, int version) {
    return Change.newBuilder()
        .setId(task(id))
        .setVersion(version)
        .setMode(ChangeMode.CHANGE_LEASE)
        .setFromQueue("q")
        .setData(TaskData.newBuilder().setQueue("q").setByMs(10))
        .build();
  }

  /** Gives a task attributes, as a later command would. */
  private void attributes(long id, String attributes) {
    TaskStore tasks = machine.stores.tasks;
    int task = tasks.find(0, id);
    Bytes value = new Bytes();
    Bytes err = new Bytes();
    Bytes idText = new Bytes();
    machine.table.detach(task);
    tasks.value(task, value);
    tasks.err(task, err);
    tasks.idText(task, idText);
    tasks.content(task, tasks.valueKind(task), value, encoded(attributes), err, idText);
    machine.table.attach(task, nowMs);
  }

  /** Attributes that are only a trace. */
  private static Bytes encoded(String trace) {
    byte[] bytes =
        Attributes.newBuilder().setTrace(ByteString.copyFromUtf8(trace)).build().toByteArray();
    Bytes all = new Bytes();
    all.set(new UnsafeBuffer(bytes), 0, bytes.length);
    return all;
  }

  private void assertContent(long id, String value, String attributes, String err) {
    assertContent(machine, id, value, attributes, err);
  }

  private static void assertContent(
      StateMachine of, long id, String value, String attributes, String err) {
    TaskStore tasks = of.stores.tasks;
    int task = tasks.find(0, id);
    Bytes part = new Bytes();
    tasks.value(task, part);
    assertThat(text(part)).isEqualTo(value);
    assertThat(text(new TaskAttributes().read(tasks, task).trace())).isEqualTo(attributes);
    assertThat(tasks.attributesLength(task))
        .isEqualTo(attributes.isEmpty() ? 0 : 2 + attributes.length());
    tasks.err(task, part);
    assertThat(text(part)).isEqualTo(err);
    assertThat(tasks.contentLength(task)).isEqualTo(value.length() + err.length());
  }

  private static String text(Bytes part) {
    byte[] bytes = new byte[part.length()];
    if (bytes.length > 0) {
      part.buffer().getBytes(part.offset(), bytes);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
