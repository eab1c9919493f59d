package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Claims from a pool whose members come, share a limiter, and go make no objects. */
class PoolAllocationTest extends PoolTestBase {
  private static final int CYCLES = 20_000;

  private final byte[][] members = new byte[16][];
  private final Slice pool = new Slice("inbox".getBytes(StandardCharsets.UTF_8));
  private final Slice queue = new Slice();
  private final ReusedCommands commands = new ReusedCommands(machine);

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
    int claims = commands.claims();
    long bytes = ReusedCommands.allocatedBytes(this::run);
    assertThat((double) bytes / CYCLES).as("bytes per cycle").isLessThan(1);
    assertThat(commands.claims() - claims).as("every second millisecond").isEqualTo(CYCLES / 2);
  }

  private void run() {
    for (int i = 0; i < CYCLES; i++) {
      nowMs++;
      commands.tick(nowMs);
      if ((i & 1) == 0) {
        commands.data.queue().wrap(members[(int) commands.inserts() & members.length - 1]);
        commands.insert(nowMs);
      }
      if (commands.claim(pool, nowMs)) {
        queue.wrap(members[(int) (commands.claimedId() - 1) & members.length - 1]);
        commands.deleteClaimed(queue, nowMs);
      }
    }
  }
}
