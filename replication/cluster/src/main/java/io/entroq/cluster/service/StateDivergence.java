package io.entroq.cluster.service;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Members that have applied the same log have come to different states.
 *
 * @param position of the snapshots that differ, in the log of the cluster
 * @param digests of the members that have said, by member
 * @param minority whom a majority contradicts; empty while no majority agrees on anything
 */
public record StateDivergence(
    long position, Map<Integer, StateDigest> digests, Set<Integer> minority) {
  /** Keeps copies. */
  public StateDivergence {
    digests = Collections.unmodifiableMap(new TreeMap<>(digests));
    minority = Collections.unmodifiableSet(new TreeSet<>(minority));
  }

  /** For people. */
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
                ? " no majority agrees on one, so none can be told to be right"
                : " a majority contradicts " + minority)
        .toString();
  }
}
