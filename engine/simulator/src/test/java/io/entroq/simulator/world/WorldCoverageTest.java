package io.entroq.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.coverage.RuleCounts;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients of a world meet every rule so often that a wrong one would be noticed in minutes. */
@Timeout(600)
class WorldCoverageTest {
  private static final int TIMES = 2;

  /** What the API and the service refuse, or what takes long; hunts meet these rules. */
  private static final Set<Rule> ELSEWHERE =
      EnumSet.of(
          Rule.ARRIVAL_DURATION_SATURATES,
          Rule.ARRIVAL_LONG_AGO,
          Rule.SAME_SET_CLAIMED_TWICE,
          Rule.SET_FORGOTTEN,
          Rule.LOST_CLAIM_REPEATED);

  /** The seed of a world with pools and topics. */
  private static final int SEED = 12;

  @Test
  void shouldMeetEveryRuleInFiveMinutes() {
    World world = new World(WorldConfig.of(SEED).withHours(5 / 60.0));
    SimulationReport report = world.run(ProgressListener.NONE);

    assertThat(report.failure()).isEmpty();
    RuleCounts counts = world.ruleCounts();
    Set<Rule> rare = counts.below(TIMES);
    rare.removeAll(ELSEWHERE);
    assertThat(rare)
        .as("rules met less often, of %s", counts)
        .isEqualTo(EnumSet.noneOf(Rule.class));
  }
}
