package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.record.RecordType;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineHostTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final LoneEngine engine = new LoneEngine();
  private final EngineHost host = engine.host;
  private final List<Reply> replies = new ArrayList<>();

  @AfterEach
  void switchOff() {
    host.switchOff();
  }

  private void insert(int number) {
    TaskDataFields task = new TaskDataFields();
    task.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    ModifyEncoder modify = new ModifyEncoder().wrap(buffer, 0);
    modify.insert(new IdFields().set(1, number), task);
    UnsafeBuffer command = new UnsafeBuffer(buffer, 0, modify.length());
    Request request = new Request(0, RecordType.MODIFY, command, (asked, reply) -> {});
    host.onRequest(request, (asked, reply) -> replies.add(reply));
  }

  @Test
  void shouldWantAnEngineToBeOpen() {
    assertBroken(Invariant.OPENS_UNDAMAGED, host::requireAtRest);

    host.open();
    host.requireAtRest();
  }

  @Test
  void shouldWantAReplyToEverything() {
    host.open();
    host.stall(10 * SECOND_NS);
    insert(1);
    insert(2);
    engine.run(9);
    assertBroken(Invariant.ALL_ANSWERED, host::requireAtRest);
    assertThat(replies).isEmpty();

    engine.run(10);
    host.requireAtRest();
    assertThat(replies).hasSize(2);
  }
}
