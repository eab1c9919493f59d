package io.entroq.engine.doc;

import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * What decides where a doc stands in its namespace: key, then secondary key, then id, each compared
 * byte by byte without sign. Points to bytes in memory; reused.
 *
 * <p>The three are read as one string of symbols, in which each byte is a symbol from 1 to 256 and
 * each of the two keys ends with a 0. So the order of docs is that of their strings, no string is
 * the beginning of another, and it makes sense to speak of what two docs begin with in common.
 */
final class SortKey {

  /** {@link #mismatch}: there is none. */
  static final int EQUAL = -1;

  private static final int SYMBOL_BITS = 9;

  /** So many symbols fit into a number that is not negative. */
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
   * Points to the keys of a doc.
   *
   * @param address where the key lies in memory, and behind it the secondary key
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
   * Some symbols as a number: of two docs that begin with the same symbols up to a position, the
   * one with the lower head from there on comes first; if their heads are equal, either may.
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

  /** Below 0 if this comes first, above 0 if the other does, 0 if they are the same. */
  int compareTo(SortKey other) {
    int at = mismatch(other);
    return at == EQUAL ? 0 : compareAt(at, other);
  }

  /** The same by one symbol, known to be the first that differs. */
  int compareAt(int position, SortKey other) {
    return symbol(position) - other.symbol(position);
  }
}
