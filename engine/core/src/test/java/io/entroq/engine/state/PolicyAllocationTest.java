package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Claims from a queue with a rate, a limiter and a number in flight make no objects. */
class PolicyAllocationTest extends PolicyTestBase {
  private static final int CYCLES = 20_000;

  private final Slice queue = new Slice("tenants/1".getBytes(StandardCharsets.UTF_8));
  private final ReusedCommands commands = new ReusedCommands(machine);

  @Test
  void shouldMakeNoObjects() {
    apply(
        modify(ANN)
            .addPolicyPuts(
                Policy.newBuilder()
                    .setKind(PolicyKind.POLICY_LIMITER)
                    .setName("api")
                    .setRateLimit(500)
                    .setRatePeriodMs(1_000)
                    .setInFlightMax(5))
            .addPolicyPuts(
                Policy.newBuilder()
                    .setKind(PolicyKind.POLICY_PREFIX)
                    .setName("tenants/")
                    .setInFlightMax(3)
                    .setRateLimit(1_000)
                    .setRatePeriodMs(1_000)
                    .setRateBurst(2)
                    .addLimiters("api")));
    commands.data.queue().wrap("tenants/1".getBytes(StandardCharsets.UTF_8));
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
      commands.insert(nowMs);
      if (commands.claim(queue, nowMs)) {
        commands.deleteClaimed(queue, nowMs);
      }
    }
  }
}
