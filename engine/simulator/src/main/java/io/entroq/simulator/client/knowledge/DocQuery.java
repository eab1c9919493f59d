package io.entroq.simulator.client.knowledge;

import java.util.List;

/**
 * The docs that a client lists.
 *
 * @param keyStart number of the first key; {@link #OPEN}: none
 * @param keyEnd number of the key after the last one; {@link #OPEN}: none
 * @param keyExact number of the only key; {@link #OPEN}: the range counts
 * @param limit 0: none
 * @param ids of a listing by ids; empty for others
 */
public record DocQuery(
    int namespace,
    int keyStart,
    int keyEnd,
    int keyExact,
    int limit,
    boolean omitsValues,
    List<KnownDoc> ids) {
  public static final int OPEN = -1;

  public static DocQuery all(int namespace, boolean omitsValues) {
    return new DocQuery(namespace, OPEN, OPEN, OPEN, 0, omitsValues, List.of());
  }

  /** All docs of a set. */
  public static DocQuery ofKey(int namespace, int key, boolean omitsValues) {
    return new DocQuery(namespace, OPEN, OPEN, key, 0, omitsValues, List.of());
  }

  /** Whether it matches all docs of the namespace. */
  public boolean isForAll() {
    return keyStart == OPEN && keyEnd == OPEN && keyExact == OPEN && limit == 0 && ids.isEmpty();
  }
}
