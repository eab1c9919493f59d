package io.entroq.api;

import java.util.List;

/**
 * Which docs of a namespace to read. Immutable; the {@code with} methods return modified copies.
 *
 * <p>A query with ids returns those docs that exist, in the order of the ids; key range and limit
 * do not apply. A query without ids returns docs ordered by key, secondary key and id, each
 * compared by bytes.
 *
 * @param namespace the namespace to read
 * @param ids the ids to read; empty for a range of keys
 * @param keyStart first key of the range; empty for no lower bound
 * @param keyEnd end of the range, exclusive; empty for no upper bound
 * @param keyExact if not empty, the key of the docs, and the range does not apply
 * @param limit how many docs at most; 0 for all
 * @param omitValues whether to omit values
 */
public record DocQuery(
    String namespace,
    List<String> ids,
    String keyStart,
    String keyEnd,
    String keyExact,
    int limit,
    boolean omitValues) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public DocQuery {
    Checks.namespace(namespace);
    ids = List.copyOf(ids);
    ids.forEach(Checks::docId);
    Checks.docKey("keyStart", keyStart);
    Checks.docKey("keyEnd", keyEnd);
    Checks.docKey("keyExact", keyExact);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  /** All docs of a namespace. */
  public static DocQuery in(String namespace) {
    return new DocQuery(namespace, List.of(), "", "", "", 0, false);
  }

  /** The docs with these ids. */
  public DocQuery withIds(String... newIds) {
    return new DocQuery(namespace, List.of(newIds), keyStart, keyEnd, keyExact, limit, omitValues);
  }

  /** Docs with keys from the first, inclusive, to the second, exclusive; empty for no bound. */
  public DocQuery between(String newKeyStart, String newKeyEnd) {
    return new DocQuery(namespace, ids, newKeyStart, newKeyEnd, keyExact, limit, omitValues);
  }

  /** The docs of this key, which are a {@linkplain DocSet set}. */
  public DocQuery withKey(String newKey) {
    return new DocQuery(namespace, ids, keyStart, keyEnd, newKey, limit, omitValues);
  }

  /** Returns at most so many docs; 0 for all. */
  public DocQuery withLimit(int newLimit) {
    return new DocQuery(namespace, ids, keyStart, keyEnd, keyExact, newLimit, omitValues);
  }

  public DocQuery withoutValues() {
    return new DocQuery(namespace, ids, keyStart, keyEnd, keyExact, limit, true);
  }
}
