package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.Slice;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/** Texts by number, and numbers by text: names of queues or namespaces, or keys of docs. */
public final class NumberedTexts {
  private static final int NONE = -1;

  /** The hash covers the length and the last bytes; that tells the texts of one table apart. */
  private static final int HASHED_BYTES = 12;

  private final byte[][] texts;
  private final Invariant invariant;
  private final Long2LongHashMap byHash = new Long2LongHashMap(NONE);

  /**
   * @param maker makes the text of each number, all of them different
   * @param invariant what a reply with an unknown text violates
   */
  public NumberedTexts(int count, IntFunction<String> maker, Invariant invariant) {
    this.invariant = invariant;
    texts = new byte[count][];
    for (int i = 0; i < count; i++) {
      texts[i] = maker.apply(i).getBytes(StandardCharsets.UTF_8);
      Slice slice = new Slice(texts[i]);
      if (byHash.put(hash(slice.buffer(), 0, slice.length()), i) != NONE) {
        throw new IllegalStateException("two texts with one hash: " + maker.apply(i));
      }
    }
  }

  private static long hash(DirectBuffer buffer, int offset, int length) {
    long hash = length;
    for (int i = Math.max(0, length - HASHED_BYTES); i < length; i++) {
      hash = hash * 31 + buffer.getByte(offset + i);
    }
    return SeededRandom.mix(hash);
  }

  /** A text, for an encoder. */
  public void text(int number, Slice into) {
    into.wrap(texts[number]);
  }

  public byte[] bytes(int number) {
    return texts[number];
  }

  /** Compares two texts by their unsigned bytes. */
  public int compare(int a, int b) {
    return Arrays.compareUnsigned(texts[a], texts[b]);
  }

  /** The number of a text in a reply. Throws a violation if no text of this table is equal. */
  public int number(DirectBuffer buffer, int offset, int length) {
    long number = byHash.get(hash(buffer, offset, length));
    if (number != NONE && isEqual(texts[(int) number], buffer, offset, length)) {
      return (int) number;
    }
    throw invariant.broken(
        "a reply",
        "a name or key that a client has written",
        buffer.getStringWithoutLengthUtf8(offset, length));
  }

  private static boolean isEqual(byte[] text, DirectBuffer buffer, int offset, int length) {
    byte[] array = buffer.byteArray();
    int from = array == null ? 0 : buffer.wrapAdjustment() + offset;
    if (array == null) {
      array = new byte[length];
      buffer.getBytes(offset, array);
    }
    return Arrays.equals(text, 0, text.length, array, from, from + length);
  }
}
