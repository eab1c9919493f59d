package io.entroq.engine.doc;

import io.entroq.engine.task.Bytes;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A position between the docs of a namespace that outlives their changes: a walk can be left and
 * taken up again, and meets every doc once that is there all the time with the same keys.
 *
 * <p>Keys are kept on the heap, since listings come and go as fast as callers ask.
 */
public final class DocPosition {

  private static final int KEYS_BYTES_FIRST = 64;

  private final Bytes part = new Bytes();
  private byte[] keys = new byte[KEYS_BYTES_FIRST];
  private int keyLength;
  private int secondaryLength;
  private long idHigh;
  private long idLow;
  private boolean isBehind;

  /** Puts it before the first doc whose key does not come before this one, of up to 1,024 bytes. */
  public void before(DirectBuffer key, int offset, int length) {
    put(0, part.set(key, offset, length));
    keyLength = length;
    secondaryLength = 0;
    idHigh = 0;
    idLow = 0;
    isBehind = false;
  }

  /** Puts it behind a doc. */
  public void behind(DocStore docs, int doc) {
    docs.key(doc, part);
    put(0, part);
    keyLength = part.length();
    docs.secondaryKey(doc, part);
    put(keyLength, part);
    secondaryLength = part.length();
    idHigh = docs.idHigh(doc);
    idLow = docs.idLow(doc);
    isBehind = true;
  }

  private void put(int at, Bytes bytes) {
    int end = at + bytes.length();
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, 2 * keys.length));
    }
    bytes.buffer().getBytes(bytes.offset(), keys, at, bytes.length());
  }

  /** Whether a doc that stands exactly here has been passed. */
  boolean isBehind() {
    return isBehind;
  }

  /** Describes it by memory that a tree can search with, into which the keys are copied. */
  void describe(SortKey into, UnsafeBuffer memory) {
    memory.putBytes(0, keys, 0, keyLength + secondaryLength);
    into.set(memory.addressOffset(), keyLength, secondaryLength, idHigh, idLow);
  }
}
