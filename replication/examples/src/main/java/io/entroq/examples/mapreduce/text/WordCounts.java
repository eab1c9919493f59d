package io.entroq.examples.mapreduce.text;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** How often words occur. Not thread-safe. */
public final class WordCounts {
  private final Map<String, Long> counts = new HashMap<>();

  /** Adds 1 or more occurrences of a word. */
  public void add(String word, long times) {
    counts.merge(word, times, Math::addExact);
  }

  /** Adds all counts of another instance. */
  public void addAll(WordCounts other) {
    other.counts.forEach(this::add);
  }

  /** How often a word occurs; 0 if never. */
  public long of(String word) {
    return counts.getOrDefault(word, 0L);
  }

  /** A view of all words and their counts, in any order. */
  public Collection<Map.Entry<String, Long>> entries() {
    return counts.entrySet();
  }

  /** How many different words there are. */
  public long distinct() {
    return counts.size();
  }

  /** How many words there are. */
  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WordCounts that && counts.equals(that.counts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(counts);
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
