package io.entroq.cluster.service;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Members that have applied the same log but have different states.
 *
 * @param position of the differing snapshots in the cluster's log
 * @param digests by member, of those that have reported
 * @param minority members that a majority contradicts; empty if no majority agrees
 */
public record StateDivergence(
    long position, Map<Integer, StateDigest> digests, Set<Integer> minority) {
  public StateDivergence {
    digests = Collections.unmodifiableMap(new TreeMap<>(digests));
    minority = Collections.unmodifiableSet(new TreeSet<>(minority));
  }

  /** A message with all digests. */
  public String text() {
    StringBuilder text =
        new StringBuilder(
            "members have different states at position %,d of the log:".formatted(position));
    digests.forEach(
        (member, digest) ->
            text.append(
                " member %d history %016x content %016x at sequence %,d;"
                    .formatted(member, digest.history(), digest.content(), digest.sequence())));
    return text.append(
            minority.isEmpty()
                ? " no majority agrees, so it is unknown which is right"
                : " a majority contradicts " + minority)
        .toString();
  }
}
