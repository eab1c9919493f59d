package io.entroq.simulator.planted;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the trials with one bug.
 *
 * @param sightings of those trials that caught it, the quickest first
 * @param trials how many there were
 * @param hours how many have passed in all their worlds together
 * @param firstSeconds of processor time that a thread had used until the first of them caught it
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

  /** The invariants that were broken, the one that was most often first. */
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
