package io.entroq.simulator.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.random.RandomRun;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ledger catches planted bugs of policies, pools and topics when it watches random commands.
 * With {@code -Plong} it is each of them; otherwise some, chosen by a seed that is printed: {@code
 * -Dtest.seed=N} chooses the same again, {@code -Dplanted.bugs=NAME,NAME} names them.
 */
class PlantedPoliciesTest {
  private static final int SEEDS = 50;
  private static final String ACTIONS = "2500";
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Processor time after which no other bug of a sample begins. */
  private static final long SAMPLE_NS = TimeUnit.SECONDS.toNanos(2);

  /** How many seeds hunt each of a sample. */
  private static final int SAMPLE_SEEDS = 4;

  /** The seed of one that has some. */
  private static final String WORLD_WITH_POLICIES = "3";

  private final Planting planting = new Planting();

  static Stream<PlantedBug> bugs() {
    String names = System.getProperty("planted.bugs");
    return PlantedBugs.ofPolicies().stream()
        .filter(bug -> names == null || List.of(names.split(",")).contains(bug.name()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bugs")
  @Tag("long")
  void shouldCatchEach(PlantedBug bug) {
    assertThat(hunt(bug, SEEDS)).as(bug.name()).containsKey("invariant");
  }

  /** Some are rare, so that not all of a sample are caught by so few seeds. */
  @Test
  void shouldCatchMostOfASample() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("planted bugs of policies: -Dtest.seed=" + seed);
    List<PlantedBug> inAnyOrder = new ArrayList<>(bugs().toList());
    Collections.shuffle(inAnyOrder, new Random(seed));
    List<String> caught = new ArrayList<>();
    List<String> missed = new ArrayList<>();
    long endNs = THREADS.getCurrentThreadCpuTime() + SAMPLE_NS;
    for (PlantedBug bug : inAnyOrder) {
      if (!caught.isEmpty() && THREADS.getCurrentThreadCpuTime() > endNs) {
        break;
      }
      boolean isCaught = hunt(bug, SAMPLE_SEEDS).containsKey("invariant");
      (isCaught ? caught : missed).add(bug.name());
    }
    assertThat(caught).as("caught, while these were not: %s", missed).isNotEmpty();
  }

  /** Otherwise nothing proves that a bug was caught, and not something else. */
  @Test
  @Tag("long")
  void shouldFindNothingInTheProductWithAllSeeds() {
    assertThat(run(planting.plantNothing(), SEEDS, "pools")).isEmpty();
    assertThat(run(planting.plantNothing(), SEEDS, "policies")).isEmpty();
  }

  @Test
  void shouldFindNothingInTheProduct() {
    assertThat(run(planting.plantNothing(), 1, "pools")).isEmpty();
  }

  @Test
  void shouldFindNothingInTheProductInAWorld() {
    assertThat(runWorld(planting.plantNothing())).containsOnlyKeys("hours");
  }

  private static Map<String, String> runWorld(PlantingLoader loader) {
    return Planting.run(loader, WorldRun.class)
        .apply(
            Map.of(
                "seed",
                WORLD_WITH_POLICIES,
                "hours",
                "0.015",
                "members",
                "1",
                "leftNs",
                Long.toString(Long.MAX_VALUE / 2)));
  }

  private Map<String, String> hunt(PlantedBug bug, int seeds) {
    long startNs = THREADS.getCurrentThreadCpuTime();
    Map<String, String> found = run(planting.plant(bug), seeds, bug.area());
    System.out.printf(
        Locale.ROOT,
        "| `%s` | %s | %s | %s | %.1f s |%n",
        bug.name(),
        bug.area(),
        found.getOrDefault("invariant", "nothing").lines().findFirst().orElse(""),
        found.getOrDefault("tried", Integer.toString(seeds)),
        (THREADS.getCurrentThreadCpuTime() - startNs) / 1e9);
    return found;
  }

  private static Map<String, String> run(PlantingLoader loader, int seeds, String area) {
    Map<String, String> terms = new HashMap<>();
    terms.put("seeds", Integer.toString(seeds));
    terms.put("actions", ACTIONS);
    if (area.equals("pools") || area.equals("topics")) {
      terms.put("pools", "");
    }
    return Planting.run(loader, RandomRun.class).apply(terms);
  }
}
