package io.entroq.api;

import java.util.List;

/**
 * Which queues to read. Immutable.
 *
 * <p>A queue matches if its name starts with any of the prefixes or equals any of the names;
 * without either, every queue does. Prefixes are literal.
 *
 * @param prefixes beginnings of names
 * @param names names
 * @param limit how many queues at most, which ones is not said; 0: all
 */
public record QueueQuery(List<String> prefixes, List<String> names, int limit) {
  /**
   * Copies the lists and checks the limit.
   *
   * @throws EntroQException.InvalidArgument if the limit is negative
   */
  public QueueQuery {
    prefixes = List.copyOf(prefixes);
    names = List.copyOf(names);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  /** Every queue. */
  public static QueueQuery all() {
    return new QueueQuery(List.of(), List.of(), 0);
  }

  /** Queues whose names start with any of these. */
  public static QueueQuery startingWith(String... prefixes) {
    return new QueueQuery(List.of(prefixes), List.of(), 0);
  }

  /** Queues with these names. */
  public static QueueQuery named(String... names) {
    return new QueueQuery(List.of(), List.of(names), 0);
  }

  /** The same with at most so many queues; 0: all. */
  public QueueQuery withLimit(int newLimit) {
    return new QueueQuery(prefixes, names, newLimit);
  }

  /** Whether every queue matches. */
  public boolean matchesAll() {
    return prefixes.isEmpty() && names.isEmpty();
  }

  /** Whether a queue of this name matches. */
  public boolean matches(String queue) {
    return matchesAll() || names.contains(queue) || prefixes.stream().anyMatch(queue::startsWith);
  }
}
