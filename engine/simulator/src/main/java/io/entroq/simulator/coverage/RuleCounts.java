package io.entroq.simulator.coverage;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** How often each rule decided something. One thread. */
public final class RuleCounts {
  private final long[] counts = new long[Rule.values().length];

  /** A rule has decided. */
  public void count(Rule rule) {
    counts[rule.ordinal()]++;
  }

  /** As {@link #count(Rule)}, if it applies. */
  public void countIf(boolean applies, Rule rule) {
    if (applies) {
      count(rule);
    }
  }

  public long of(Rule rule) {
    return counts[rule.ordinal()];
  }

  /** Adds the counts of another world. */
  public void add(RuleCounts other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  /** The rules that decided fewer times. */
  public Set<Rule> below(long times) {
    Set<Rule> rare = EnumSet.noneOf(Rule.class);
    for (Rule rule : Rule.values()) {
      if (of(rule) < times) {
        rare.add(rule);
      }
    }
    return rare;
  }

  /** All counts by rule. */
  public Map<Rule, Long> all() {
    Map<Rule, Long> all = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      all.put(rule, of(rule));
    }
    return Collections.unmodifiableMap(all);
  }

  @Override
  public String toString() {
    return all().toString();
  }
}
