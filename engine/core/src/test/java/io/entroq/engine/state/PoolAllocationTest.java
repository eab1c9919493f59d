package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.engine.task.TaskView;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Claims from a pool whose members come, share a limiter, and go make no objects. */
class PoolAllocationTest extends PoolTestBase {
  private static final int CYCLES = 20_000;

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1_024]);
  private final ModifyEncoder modify = new ModifyEncoder();
  private final ClaimEncoder claim = new ClaimEncoder();
  private final TaskDataFields data = new TaskDataFields();
  private final IdFields me = new IdFields().set(0, 42);
  private final IdFields id = new IdFields();
  private final byte[][] members = new byte[16][];
  private final Slice pool = new Slice("inbox".getBytes(StandardCharsets.UTF_8));
  private final Slice queue = new Slice();
  private final ClaimedSink sink = new ClaimedSink();
  private long nextId;

  private static final class ClaimedSink extends ResultSink.Discarding {
    private long claimedId;
    private int claimedVersion;
    private int claims;

    @Override
    public void onTask(int role, TaskView task) {
      if (role == ROLE_CLAIMED) {
        claimedId = task.idLow();
        claimedVersion = task.version();
        claims++;
      }
    }
  }

  @Test
  void shouldMakeNoObjects() {
    put(
        Policy.newBuilder()
            .setKind(PolicyKind.POLICY_LIMITER)
            .setName("api")
            .setRateLimit(500)
            .setRatePeriodMs(1_000),
        pool("inbox", Fair.FAIR_LEAST_IN_FLIGHT)
            .setPoolInFlightMax(5)
            .setPoolRateLimit(1_000)
            .setPoolRatePeriodMs(1_000)
            .setPoolRateBurst(2),
        prefix("inbox/").setInFlightMax(3).addLimiters("api"));
    for (int i = 0; i < members.length; i++) {
      members[i] = ("inbox/" + i).getBytes(StandardCharsets.UTF_8);
    }
    run();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    int claims = sink.claims;
    run();
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    assertThat((double) bytes / CYCLES).as("bytes per cycle").isLessThan(1);
    assertThat(sink.claims - claims).as("every second millisecond").isEqualTo(CYCLES / 2);
  }

  private void run() {
    for (int i = 0; i < CYCLES; i++) {
      nowMs++;
      while (machine.nextDeadlineMs() <= nowMs) {
        execute(RecordType.TICK, 0);
      }
      if ((i & 1) == 0) {
        data.queue().wrap(members[(int) nextId & members.length - 1]);
        execute(
            RecordType.MODIFY,
            modify.wrap(buffer, 0).claimant(me).insert(id.set(1, ++nextId), data).length());
      }
      sink.claimedId = 0;
      execute(
          RecordType.CLAIM, claim.wrap(buffer, 0).claimant(me).queue(pool).leaseMs(1_000).length());
      if (sink.claimedId != 0) {
        id.set(1, sink.claimedId);
        queue.wrap(members[(int) (sink.claimedId - 1) & members.length - 1]);
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
