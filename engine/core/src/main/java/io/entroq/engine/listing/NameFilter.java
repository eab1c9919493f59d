package io.entroq.engine.listing;

import io.entroq.codec.result.NameQuery;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;

/** The names that a query selects: by prefix, and exact names to look up. */
final class NameFilter {

  private final NameQuery query;
  private final PrefixSet prefixes;

  /**
   * Positions in the query of the exact names to look up: without duplicates and without names that
   * match a prefix.
   */
  private final int[] names;

  private int nextName;

  NameFilter(NameQuery query) {
    this.query = query;
    this.prefixes = new PrefixSet(query);
    this.names = names();
  }

  private int[] names() {
    int[] places = new int[query.matchExactCount()];
    int count = 0;
    Set<ByteBuffer> seen = new HashSet<>();
    for (int i = 0; i < places.length; i++) {
      byte[] name = new byte[query.matchExactLength(i)];
      query.buffer().getBytes(query.matchExactOffset(i), name);
      boolean isFound = prefixes.matches(query.buffer(), query.matchExactOffset(i), name.length);
      if (!isFound && seen.add(ByteBuffer.wrap(name))) {
        places[count++] = i;
      }
    }
    return Arrays.copyOf(places, count);
  }

  /** Whether the query needs a walk over all names. */
  boolean walks() {
    return query.matchExactCount() == 0 || !prefixes.isEmpty();
  }

  /** Whether the query selects a name found by the walk. */
  boolean matches(DirectBuffer name, int offset, int length) {
    return prefixes.isEmpty() || prefixes.matches(name, offset, length);
  }

  /** Whether there is another exact name to look up. */
  boolean hasNext() {
    return nextName < names.length;
  }

  /** The position in the query of the next exact name to look up. */
  int next() {
    return names[nextName++];
  }
}
