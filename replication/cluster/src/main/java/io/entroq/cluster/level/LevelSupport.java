package io.entroq.cluster.level;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * The behaviour level of a cluster, and what its members have said that they support.
 *
 * @param level of the state; 0: it has none yet
 * @param members how many there are
 * @param supported by member, without those that have not said it
 */
public record LevelSupport(int level, int members, SortedMap<Integer, LevelRange> supported) {
  /** Why a member may have said nothing, for people. */
  public static final String SILENCE =
      "it is away, had no time to answer (ask again), or its build is too old to say";

  /** Which members have not said what they support. */
  public List<Integer> silent() {
    return IntStream.range(0, members).filter(id -> !supported.containsKey(id)).boxed().toList();
  }

  /**
   * Why the level cannot be raised to another one, for people; empty if it can.
   *
   * @param wanted not the present level
   */
  public Optional<String> objection(int wanted) {
    List<String> reasons = new ArrayList<>();
    if (wanted < level) {
      reasons.add("there is no way back");
    }
    supported.forEach(
        (member, range) -> {
          if (!range.has(wanted)) {
            reasons.add("member %d supports %s".formatted(member, range));
          }
        });
    for (int member : silent()) {
      reasons.add("member %d has not said what it supports".formatted(member));
    }
    if (reasons.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "Behaviour level %d cannot be had: the cluster is at %d, and %s%s"
            .formatted(
                wanted,
                level,
                String.join(", ", reasons),
                silent().isEmpty() ? "" : ": " + SILENCE));
  }
}
