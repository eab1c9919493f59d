package io.entroq.engine.doc;

import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * The sort key of a doc within its namespace: key, then secondary key, then id, each compared as
 * unsigned bytes. Refers to bytes in memory; reused.
 *
 * <p>The three form one string of symbols: each byte is a symbol from 1 to 256, and each of the two
 * keys ends with a 0. The order of docs is that of their strings. No string is a prefix of another,
 * so any two docs have a well-defined common prefix.
 */
final class SortKey {

  /** Result of {@link #mismatch}: the keys are equal. */
  static final int EQUAL = -1;

  private static final int SYMBOL_BITS = 9;

  /** The symbols that fit into a nonnegative {@code long}. */
  private static final int HEAD_SYMBOLS = 7;

  private static final int ID_BYTES = 16;
  private static final boolean IS_LITTLE_ENDIAN =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private long keys;
  private int keyLength;
  private int secondaryLength;
  private long idHigh;
  private long idLow;

  /**
   * Refers to the keys of a doc.
   *
   * @param address the address of the key, which the secondary key follows
   */
  void set(long address, int keyBytes, int secondaryBytes, long high, long low) {
    keys = address;
    keyLength = keyBytes;
    secondaryLength = secondaryBytes;
    idHigh = high;
    idLow = low;
  }

  private int symbol(int position) {
    if (position < keyLength) {
      return 1 + (UnsafeApi.getByte(keys + position) & 0xFF);
    }
    int rest = position - keyLength - 1;
    if (rest < 0) {
      return 0;
    }
    if (rest < secondaryLength) {
      return 1 + (UnsafeApi.getByte(keys + keyLength + rest) & 0xFF);
    }
    int idByte = rest - secondaryLength - 1;
    return idByte < 0 || idByte >= ID_BYTES ? 0 : 1 + idByte(idByte);
  }

  private int idByte(int index) {
    long half = index < Long.BYTES ? idHigh : idLow;
    return (int) (half >>> (Long.SIZE - Byte.SIZE * (1 + index % Long.BYTES))) & 0xFF;
  }

  /**
   * The symbols from a position on, as a number. Of two docs with the same symbols before it, the
   * one with the lower head comes first; equal heads do not decide.
   */
  long head(int position) {
    long head = 0;
    for (int i = position; i < position + HEAD_SYMBOLS; i++) {
      head = head << SYMBOL_BITS | symbol(i);
    }
    return head;
  }

  /** The position of the first symbol that differs, or {@link #EQUAL}. */
  int mismatch(SortKey other) {
    int at = mismatch(keys, keyLength, other.keys, other.keyLength);
    if (at != EQUAL) {
      return at;
    }
    int done = keyLength + 1;
    at = mismatch(keys + keyLength, secondaryLength, other.keys + keyLength, other.secondaryLength);
    if (at != EQUAL) {
      return done + at;
    }
    done += secondaryLength + 1;
    if (idHigh != other.idHigh) {
      return done + firstByte(idHigh ^ other.idHigh);
    }
    return idLow == other.idLow ? EQUAL : done + Long.BYTES + firstByte(idLow ^ other.idLow);
  }

  private static int firstByte(long difference) {
    return Long.numberOfLeadingZeros(difference) / Byte.SIZE;
  }

  private static int mismatch(long a, int lengthA, long b, int lengthB) {
    int common = Math.min(lengthA, lengthB);
    int i = 0;
    for (; i + Long.BYTES <= common; i += Long.BYTES) {
      long difference = UnsafeApi.getLong(a + i) ^ UnsafeApi.getLong(b + i);
      if (difference != 0) {
        return i + firstByte(IS_LITTLE_ENDIAN ? Long.reverseBytes(difference) : difference);
      }
    }
    while (i < common && UnsafeApi.getByte(a + i) == UnsafeApi.getByte(b + i)) {
      i++;
    }
    return i < lengthA || i < lengthB ? i : EQUAL;
  }

  int compareTo(SortKey other) {
    int at = mismatch(other);
    return at == EQUAL ? 0 : compareAt(at, other);
  }

  /** Compares at a position known to be the first mismatch. */
  int compareAt(int position, SortKey other) {
    return symbol(position) - other.symbol(position);
  }
}
