package io.entroq.simulator.coverage;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.agrona.collections.MutableLong;

/** How often each rule decided something. One thread. */
public final class RuleCounts {
  private final Map<Rule, MutableLong> counts = new EnumMap<>(Rule.class);

  public RuleCounts() {
    for (Rule rule : Rule.values()) {
      counts.put(rule, new MutableLong());
    }
  }

  /** A rule has decided. */
  public void count(Rule rule) {
    counts.get(rule).increment();
  }

  /** As {@link #count(Rule)}, if it applies. */
  public void countIf(boolean applies, Rule rule) {
    if (applies) {
      count(rule);
    }
  }

  public long of(Rule rule) {
    return counts.get(rule).get();
  }

  /** Adds the counts of another world. */
  public void add(RuleCounts other) {
    counts.forEach((rule, count) -> count.addAndGet(other.of(rule)));
  }

  /** The rules that decided fewer times. */
  public Set<Rule> below(long times) {
    Set<Rule> rare = EnumSet.noneOf(Rule.class);
    counts.forEach(
        (rule, count) -> {
          if (count.get() < times) {
            rare.add(rule);
          }
        });
    return rare;
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
