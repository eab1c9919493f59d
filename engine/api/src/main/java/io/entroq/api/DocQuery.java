package io.entroq.api;

import java.util.List;

/**
 * Which docs of a namespace to read. Immutable; the {@code with} methods return altered copies.
 *
 * <p>With ids: those docs, in the order of the ids, unknown ones left out; bounds and limit say
 * nothing then. Without: docs by key, secondary key and id, each compared by its bytes.
 *
 * @param namespace where the docs are
 * @param ids the ids; none: any
 * @param keyStart the first key that is wanted; empty: any
 * @param keyEnd the first key that is not wanted any more; empty: none
 * @param limit how many docs at most, the first ones in their order; 0: all
 * @param omitValues whether to leave values out
 */
public record DocQuery(
    String namespace,
    List<String> ids,
    String keyStart,
    String keyEnd,
    int limit,
    boolean omitValues) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public DocQuery {
    Checks.namespace(namespace);
    ids = List.copyOf(ids);
    ids.forEach(Checks::docId);
    Checks.docKey("keyStart", keyStart);
    Checks.docKey("keyEnd", keyEnd);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  /** All docs of a namespace. */
  public static DocQuery in(String namespace) {
    return new DocQuery(namespace, List.of(), "", "", 0, false);
  }

  /** The docs with these ids. */
  public DocQuery withIds(String... newIds) {
    return new DocQuery(namespace, List.of(newIds), keyStart, keyEnd, limit, omitValues);
  }

  /** The docs whose key is not below the one and below the other; empty: no bound. */
  public DocQuery between(String newKeyStart, String newKeyEnd) {
    return new DocQuery(namespace, ids, newKeyStart, newKeyEnd, limit, omitValues);
  }

  /** The same with at most so many docs; 0: all. */
  public DocQuery withLimit(int newLimit) {
    return new DocQuery(namespace, ids, keyStart, keyEnd, newLimit, omitValues);
  }

  /** The same with values left out. */
  public DocQuery withoutValues() {
    return new DocQuery(namespace, ids, keyStart, keyEnd, limit, true);
  }
}
