package io.entroq.api;

import java.util.List;

/**
 * Which namespaces to read. Immutable.
 *
 * <p>A namespace matches if its name starts with any of the prefixes or equals any of the names;
 * without either, every namespace does. Prefixes are literal.
 *
 * @param prefixes beginnings of names
 * @param names names
 * @param limit how many namespaces at most, which ones is not said; 0: all
 */
public record NamespaceQuery(List<String> prefixes, List<String> names, int limit) {
  /**
   * Copies the lists and checks the limit.
   *
   * @throws EntroQException.InvalidArgument if the limit is negative
   */
  public NamespaceQuery {
    prefixes = List.copyOf(prefixes);
    names = List.copyOf(names);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  /** Every namespace. */
  public static NamespaceQuery all() {
    return new NamespaceQuery(List.of(), List.of(), 0);
  }

  /** Namespaces whose names start with any of these. */
  public static NamespaceQuery startingWith(String... prefixes) {
    return new NamespaceQuery(List.of(prefixes), List.of(), 0);
  }

  /** Namespaces with these names. */
  public static NamespaceQuery named(String... names) {
    return new NamespaceQuery(List.of(), List.of(names), 0);
  }

  /** The same with at most so many namespaces; 0: all. */
  public NamespaceQuery withLimit(int newLimit) {
    return new NamespaceQuery(prefixes, names, newLimit);
  }

  /** Whether a namespace of this name matches. */
  public boolean matches(String namespace) {
    return (prefixes.isEmpty() && names.isEmpty())
        || names.contains(namespace)
        || prefixes.stream().anyMatch(namespace::startsWith);
  }
}
