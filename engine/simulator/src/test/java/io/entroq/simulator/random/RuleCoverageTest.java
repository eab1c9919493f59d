package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.state.Levels;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.coverage.RuleCounts;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random commands meet every rule so often that a wrong one would be noticed. */
class RuleCoverageTest {
  private static final int SEEDS = 16;
  private static final int ACTIONS = 6_000;
  private static final int TIMES = 5;

  @Test
  @Timeout(600)
  void shouldMeetEveryRuleManyTimes() {
    RuleCounts counts = new RuleCounts();
    for (int seed = 1; seed <= SEEDS; seed++) {
      run(seed, counts);
    }

    Set<Rule> rare = counts.below(TIMES);
    // Takes thousands of sets without docs: UnusedSetsTest.
    rare.remove(Rule.SET_FORGOTTEN);
    assertThat(rare)
        .as("rules met less often, of %s", counts)
        .isEqualTo(EnumSet.noneOf(Rule.class));
  }

  private static void run(long seed, RuleCounts counts) {
    try (WatchedMachine machine = WatchedMachine.of(seed)) {
      CommandGenerator generator = machine.begin(seed, Levels.MAX);
      for (int i = 0; i < ACTIONS; i++) {
        machine.perform(generator.next());
      }
      counts.add(machine.ledger().ruleCounts());
    }
  }
}
