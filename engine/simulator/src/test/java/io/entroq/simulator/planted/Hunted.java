package io.entroq.simulator.planted;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of the trials with one bug.
 *
 * @param sightings of the trials that caught it, the quickest first
 * @param trials the number of trials
 * @param hours simulated time of all worlds together
 * @param firstSeconds processor time of a thread until the first trial caught it
 */
record Hunted(List<Sighting> sightings, int trials, double hours, double firstSeconds) {
  private static final Comparator<Map.Entry<String, Integer>> OFTEN_FIRST =
      Map.Entry.<String, Integer>comparingByValue()
          .reversed()
          .thenComparing(Map.Entry.comparingByKey());

  Hunted {
    sightings = sightings.stream().sorted(Comparator.comparingDouble(Sighting::hours)).toList();
  }

  boolean isCaught() {
    return !sightings.isEmpty();
  }

  /** The violated invariants, the most frequent first. */
  List<String> invariants() {
    Map<String, Integer> times = new HashMap<>();
    sightings.forEach(sighting -> times.merge(sighting.invariant(), 1, Integer::sum));
    return times.entrySet().stream().sorted(OFTEN_FIRST).map(Map.Entry::getKey).toList();
  }

  /** Simulated time until half of the trials had caught it; infinite if fewer than half did. */
  double medianHours() {
    int middle = (trials - 1) / 2;
    return middle < sightings.size() ? sightings.get(middle).hours() : Double.POSITIVE_INFINITY;
  }
}
