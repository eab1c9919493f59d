package io.entroq.engine.listing;

import io.entroq.codec.result.NameQuery;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * Which names a question asks for: those with a prefix, and those that are looked up one by one.
 */
final class NameFilter {

  private final NameQuery query;
  private final PrefixSet prefixes;

  /**
   * Places in the query of those exact names that have to be looked up: each once, none that a
   * prefix finds too.
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

  /** Whether names are looked for among all there are. */
  boolean walks() {
    return query.matchExactCount() == 0 || !prefixes.isEmpty();
  }

  /** Whether a name that a walk has come to is asked for. */
  boolean matches(DirectBuffer name, int offset, int length) {
    return prefixes.isEmpty() || prefixes.matches(name, offset, length);
  }

  /** Whether there is a name left to be looked up. */
  boolean hasNext() {
    return nextName < names.length;
  }

  /** Passes on to the next name that is to be looked up and says its place in the query. */
  int next() {
    return names[nextName++];
  }
}
