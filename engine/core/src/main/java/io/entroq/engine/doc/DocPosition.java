package io.entroq.engine.doc;

import io.entroq.engine.task.Bytes;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A position between the docs of a namespace that stays valid while they change. A walk can pause
 * and continue, and visits every doc that exists throughout with the same keys exactly once.
 *
 * <p>Keys are on the heap, because listings are created at the callers' rate.
 */
public final class DocPosition {

  private static final int KEYS_BYTES_FIRST = 64;

  private final Bytes part = new Bytes();
  private byte[] keys = new byte[KEYS_BYTES_FIRST];
  private int keyLength;
  private int secondaryLength;
  private long idHigh;
  private long idLow;
  private boolean isAfter;

  /** Moves before the first doc whose key is not less than this one, of at most 1,024 bytes. */
  public void before(DirectBuffer key, int offset, int length) {
    put(0, part.set(key, offset, length));
    keyLength = length;
    secondaryLength = 0;
    idHigh = 0;
    idLow = 0;
    isAfter = false;
  }

  /** Moves after a doc. */
  public void after(DocStore docs, int doc) {
    docs.key(doc, part);
    put(0, part);
    keyLength = part.length();
    docs.secondaryKey(doc, part);
    put(keyLength, part);
    secondaryLength = part.length();
    idHigh = docs.idHigh(doc);
    idLow = docs.idLow(doc);
    isAfter = true;
  }

  private void put(int at, Bytes bytes) {
    int end = at + bytes.length();
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, 2 * keys.length));
    }
    bytes.buffer().getBytes(bytes.offset(), keys, at, bytes.length());
  }

  /** Whether a doc at exactly this position has been visited. */
  boolean isAfter() {
    return isAfter;
  }

  /** Sets a sort key for a search; copies the keys into {@code memory}. */
  void describe(SortKey into, UnsafeBuffer memory) {
    memory.putBytes(0, keys, 0, keyLength + secondaryLength);
    into.set(memory.addressOffset(), keyLength, secondaryLength, idHigh, idLow);
  }
}
