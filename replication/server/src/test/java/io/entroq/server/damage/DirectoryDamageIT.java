package io.entroq.server.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Directories that engines have left, damaged in every way that is known, also in two ways at once:
 * an engine that opens one has all that was acknowledged, {@code log verify} says of it what the
 * engine does, and the advice, once followed, gives up nothing that could have been kept.
 */
class DirectoryDamageIT {
  private static final int PAIRS = 10;

  @TempDir private Path temporary;

  private long seed;
  private SplittableRandom random;
  private final List<String> failures = new ArrayList<>();
  private List<Ground> grounds;
  private long trials;

  @BeforeEach
  void makeGrounds(TestInfo test) throws Exception {
    // By default always the same, so that no build fails by a rare pair; the long ones search.
    boolean isLong = test.getTags().contains("long");
    seed = Long.getLong("test.seed", isLong ? System.nanoTime() : 1);
    random = new SplittableRandom(seed);
    System.out.println("seed " + seed);
    grounds = Grounds.in(temporary.resolve("grounds"), seed);
  }

  @Test
  @Timeout(300)
  void shouldLoseNothingWithoutAWordWhateverIsDamaged() throws Exception {
    for (Ground ground : grounds) {
      attempt(ground, List.of());
    }
    attemptEachKind();
    for (int i = 0; i < PAIRS; i++) {
      Ground ground = grounds.get(random.nextInt(grounds.size()));
      List<Harm> harms = Harms.of(ground, random);
      attempt(ground, List.of(any(harms), any(harms)));
    }
    requireNoFailures();
  }

  @Test
  @Tag("long")
  void shouldLoseNothingWithoutAWordWhereverItIsDamaged() throws Exception {
    for (Ground ground : grounds) {
      for (Harm each : Harms.of(ground, random)) {
        attempt(ground, List.of(each));
      }
    }
    requireNoFailures();
  }

  @Test
  @Tag("long")
  void shouldLoseNothingWithoutAWordWhateverIsDamagedTwice() throws Exception {
    for (Ground ground : grounds) {
      Collection<List<Harm>> kinds = byKind(Harms.of(ground, random)).values();
      for (List<Harm> first : kinds) {
        for (List<Harm> second : kinds) {
          attempt(ground, List.of(any(first), any(second)));
        }
      }
    }
    requireNoFailures();
  }

  /** Each kind in one of the directories that have it. */
  private void attemptEachKind() throws Exception {
    Map<String, List<Case>> kinds = new TreeMap<>();
    for (Ground ground : grounds) {
      for (Harm each : Harms.of(ground, random)) {
        kinds
            .computeIfAbsent(each.kind(), kind -> new ArrayList<>())
            .add(new Case(ground, List.of(each)));
      }
    }
    for (List<Case> kind : kinds.values()) {
      Case one = any(kind);
      attempt(one.ground, one.harms);
    }
  }

  private record Case(Ground ground, List<Harm> harms) {}

  private static Map<String, List<Harm>> byKind(List<Harm> harms) {
    return harms.stream()
        .collect(Collectors.groupingBy(Harm::kind, TreeMap::new, Collectors.toList()));
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void attempt(Ground ground, List<Harm> harms) throws Exception {
    Trial.Report report = Trial.of(ground, harms, temporary.resolve("trial-" + trials++));
    for (String complaint : report.complaints()) {
      String shorter = complaint.replace(temporary.toString(), "");
      String failure = "%s: %s: %s".formatted(ground.name(), harms, shorter);
      failures.add(failure);
    }
  }

  private void requireNoFailures() {
    System.out.println(trials + " trials");
    assertThat(failures).as("seed %d, %d trials", seed, trials).isEmpty();
  }
}
