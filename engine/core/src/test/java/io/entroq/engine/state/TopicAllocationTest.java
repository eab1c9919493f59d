package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.log.Policy;
import io.entroq.engine.task.TaskView;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Inserts into topics and the lives of their copies make no objects. */
class TopicAllocationTest extends TopicTestBase {
  private static final int CYCLES = 10_000;
  private static final String[] GROUPS = {"a", "b", "c"};

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);
  private final ModifyEncoder modify = new ModifyEncoder();
  private final ClaimEncoder claim = new ClaimEncoder();
  private final TaskDataFields data = new TaskDataFields();
  private final IdFields me = new IdFields().set(0, 42);
  private final IdFields id = new IdFields();
  private final Slice[] queues = new Slice[GROUPS.length];
  private final ClaimedSink sink = new ClaimedSink();
  private long nextId;

  private static final class ClaimedSink extends ResultSink.Discarding {
    private long claimedHigh;
    private long claimedLow;
    private int claimedVersion;
    private int claims;

    @Override
    public void onTask(int role, TaskView task) {
      if (role == ROLE_CLAIMED) {
        claimedHigh = task.idHigh();
        claimedLow = task.idLow();
        claimedVersion = task.version();
        claims++;
      }
    }
  }

  @Test
  void shouldMakeNoObjects() {
    apply(
        modify(ANN)
            .addPolicyPuts(topic("T", GROUPS))
            .addPolicyPuts(Policy.newBuilder().setName("T/b").setTasksMax(10).setTtlMs(60_000)));
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new Slice(("T/" + GROUPS[i]).getBytes(StandardCharsets.UTF_8));
    }
    data.queue().wrap("T".getBytes(StandardCharsets.UTF_8));
    data.valueKind(1).value().wrap(new byte[1_024]);
    run();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    int claims = sink.claims;
    run();
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    assertThat((double) bytes / CYCLES).as("bytes per cycle").isLessThan(1);
    assertThat(sink.claims - claims).isEqualTo(CYCLES * GROUPS.length);
    assertThat(machine.taskCount()).isZero();
  }

  private void run() {
    for (int i = 0; i < CYCLES; i++) {
      nowMs++;
      execute(
          RecordType.MODIFY,
          modify.wrap(buffer, 0).claimant(me).insert(id.set(1, ++nextId), data).length());
      for (Slice queue : queues) {
        execute(
            RecordType.CLAIM,
            claim.wrap(buffer, 0).claimant(me).queue(queue).leaseMs(1_000).length());
        id.set(sink.claimedHigh, sink.claimedLow);
        execute(
            RecordType.MODIFY,
            modify.wrap(buffer, 0).claimant(me).delete(id, sink.claimedVersion, queue).length());
      }
    }
  }

  private void execute(int type, int length) {
    machine.prepare(type, buffer, 0, length, nowMs);
    machine.commit(machine.sequence() + 1, length, sink);
  }
}
