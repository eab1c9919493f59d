package io.entroq.api;

import java.util.List;

/**
 * Which namespaces to read. Immutable.
 *
 * <p>A namespace matches if its name starts with one of the prefixes or equals one of the names.
 * Without prefixes and names, every namespace matches.
 *
 * @param prefixes literal beginnings of names
 * @param names exact names
 * @param limit how many namespaces at most, in no particular order; 0 for all
 */
public record NamespaceQuery(List<String> prefixes, List<String> names, int limit) {
  /** Throws {@link EntroQException.InvalidArgument} if the limit is negative. */
  public NamespaceQuery {
    prefixes = List.copyOf(prefixes);
    names = List.copyOf(names);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  public static NamespaceQuery all() {
    return new NamespaceQuery(List.of(), List.of(), 0);
  }

  public static NamespaceQuery startingWith(String... prefixes) {
    return new NamespaceQuery(List.of(prefixes), List.of(), 0);
  }

  public static NamespaceQuery named(String... names) {
    return new NamespaceQuery(List.of(), List.of(names), 0);
  }

  public NamespaceQuery withLimit(int newLimit) {
    return new NamespaceQuery(prefixes, names, newLimit);
  }

  public boolean matches(String namespace) {
    return (prefixes.isEmpty() && names.isEmpty())
        || names.contains(namespace)
        || prefixes.stream().anyMatch(namespace::startsWith);
  }
}
