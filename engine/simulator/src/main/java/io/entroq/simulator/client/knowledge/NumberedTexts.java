package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.Slice;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/** Texts by number, and numbers by text: names of namespaces, or keys. */
public final class NumberedTexts {
  private static final int NONE = -1;

  private final byte[][] texts;
  private final Long2LongHashMap byHash = new Long2LongHashMap(NONE);

  /**
   * @param maker makes the text of each number, all of them different
   */
  public NumberedTexts(int count, IntFunction<String> maker) {
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
    for (int i = 0; i < length; i++) {
      hash = hash * 31 + buffer.getByte(offset + i);
    }
    return SeededRandom.mix(hash);
  }

  public int count() {
    return texts.length;
  }

  /** A text, for an encoder. */
  public void text(int number, Slice into) {
    into.wrap(texts[number]);
  }

  public byte[] bytes(int number) {
    return texts[number];
  }

  /** Below 0 if a text comes before another, byte by byte without sign. */
  public int compare(int a, int b) {
    return Arrays.compareUnsigned(texts[a], texts[b]);
  }

  /** The number of a text that a reply names. Throws a violation if there is none. */
  public int number(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    long number = byHash.get(hash(buffer, offset, length));
    if (number != NONE && Arrays.equals(bytes, texts[(int) number])) {
      return (int) number;
    }
    throw Invariant.DOCS_AS_WRITTEN.broken(
        "docs", "a text that a client has written", new String(bytes, StandardCharsets.UTF_8));
  }
}
