package io.entroq.api;

import java.util.List;

/**
 * Which queues to read. Immutable.
 *
 * <p>A queue matches if its name starts with one of the prefixes or equals one of the names.
 * Without prefixes and names, every queue matches.
 *
 * @param prefixes literal beginnings of names
 * @param names exact names
 * @param limit how many queues at most, in no particular order; 0 for all
 */
public record QueueQuery(List<String> prefixes, List<String> names, int limit) {
  /** Throws {@link EntroQException.InvalidArgument} if the limit is negative. */
  public QueueQuery {
    prefixes = List.copyOf(prefixes);
    names = List.copyOf(names);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  public static QueueQuery all() {
    return new QueueQuery(List.of(), List.of(), 0);
  }

  public static QueueQuery startingWith(String... prefixes) {
    return new QueueQuery(List.of(prefixes), List.of(), 0);
  }

  public static QueueQuery named(String... names) {
    return new QueueQuery(List.of(), List.of(names), 0);
  }

  public QueueQuery withLimit(int newLimit) {
    return new QueueQuery(prefixes, names, newLimit);
  }

  public boolean matchesAll() {
    return prefixes.isEmpty() && names.isEmpty();
  }

  public boolean matches(String queue) {
    return matchesAll() || names.contains(queue) || prefixes.stream().anyMatch(queue::startsWith);
  }
}
