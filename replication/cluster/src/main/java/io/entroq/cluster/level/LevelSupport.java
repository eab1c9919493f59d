package io.entroq.cluster.level;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * The behavior level of a cluster, and the levels that its members support.
 *
 * @param level of the state; 0 if the log has no record yet
 * @param members number of members
 * @param supported by member id, without members that did not answer
 */
public record LevelSupport(int level, int members, SortedMap<Integer, LevelRange> supported) {
  /** Why a member may not have answered. */
  public static final String SILENCE =
      "it is away, did not answer in time (try again), or its build is too old to answer";

  /** The members that did not answer. */
  public List<Integer> silent() {
    return IntStream.range(0, members).filter(id -> !supported.containsKey(id)).boxed().toList();
  }

  /**
   * Why the level cannot be changed to another one; empty if it can.
   *
   * @param wanted not the current level
   */
  public Optional<String> objection(int wanted) {
    List<String> reasons = new ArrayList<>();
    if (wanted < level) {
      reasons.add("it cannot be lowered");
    }
    supported.forEach(
        (member, range) -> {
          if (!range.has(wanted)) {
            reasons.add("member %d supports %s".formatted(member, range));
          }
        });
    for (int member : silent()) {
      reasons.add("member %d did not answer".formatted(member));
    }
    if (reasons.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "Behavior level %d is not possible: the cluster is at %d, and %s%s"
            .formatted(
                wanted,
                level,
                String.join(", ", reasons),
                silent().isEmpty() ? "" : ": " + SILENCE));
  }
}
