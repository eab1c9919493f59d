package io.entroq.simulator.client.knowledge;

import java.util.List;

/**
 * Which docs a client asks for, or claims.
 *
 * @param keyStart number of the key from which on; {@link #OPEN}: from the first
 * @param keyEnd number of the key in front of which to stop; {@link #OPEN}: behind the last
 * @param limit most docs; 0: all
 * @param ids asked for by their ids instead; empty for others
 */
public record DocQuery(
    int namespace, int keyStart, int keyEnd, int limit, boolean omitsValues, List<KnownDoc> ids) {
  public static final int OPEN = -1;

  /** All docs of a namespace. */
  public static DocQuery all(int namespace, boolean omitsValues) {
    return new DocQuery(namespace, OPEN, OPEN, 0, omitsValues, List.of());
  }

  /** The docs of one key, as they are claimed. */
  public static DocQuery ofKey(int namespace, int key) {
    return new DocQuery(namespace, key, key, 0, false, List.of());
  }

  /** Whether it asks for everything that is there. */
  public boolean isForAll() {
    return keyStart == OPEN && keyEnd == OPEN && limit == 0 && ids.isEmpty();
  }
}
