package io.entroq.simulator.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.random.RandomRun;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ledger catches each planted bug of policies when it watches random commands. */
@Timeout(120)
class PlantedPoliciesTest {
  private static final String SEEDS = "40";
  private static final String ACTIONS = "2500";

  /** The seed of one that has some. */
  private static final String WORLD_WITH_POLICIES = "3";

  static Stream<PlantedBug> bugs() {
    return PlantedBugs.ofPolicies().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bugs")
  void shouldCatchEach(PlantedBug bug) {
    assertThat(run(new Planting().plant(bug), SEEDS)).as(bug.name()).containsKey("invariant");
  }

  @Test
  void shouldFindNothingInTheProduct() {
    assertThat(run(new Planting().plantNothing(), "3")).isEmpty();
  }

  @Test
  void shouldFindNothingInTheProductInAWorld() {
    assertThat(runWorld(new Planting().plantNothing())).containsOnlyKeys("hours");
  }

  private static Map<String, String> runWorld(PlantingLoader loader) {
    return Planting.run(loader, WorldRun.class)
        .apply(
            Map.of(
                "seed",
                WORLD_WITH_POLICIES,
                "hours",
                "0.03",
                "members",
                "1",
                "leftNs",
                Long.toString(Long.MAX_VALUE / 2)));
  }

  private static Map<String, String> run(PlantingLoader loader, String seeds) {
    return Planting.run(loader, RandomRun.class).apply(Map.of("seeds", seeds, "actions", ACTIONS));
  }
}
