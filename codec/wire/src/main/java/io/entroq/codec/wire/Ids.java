package io.entroq.codec.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Converts ids between text and key. Thread-safe.
 *
 * <p>A canonical lower-case UUID whose upper half is not zero is its own key. 16 lower-case hex
 * digits, not all zeros, are the lower half of a key whose upper half is zero. The key of any other
 * text is a version-8 UUID made from its SHA-256, and the text is stored beside it. The v1 API
 * shows texts and the v0 API shows keys, so that both APIs can name every task.
 */
public final class Ids {
  private static final int UUID_LENGTH = 36;
  private static final int HEX_LENGTH = 16;
  private static final int QUOTED_CHARS_MAX = 64;
  private static final char[] HEX = "0123456789abcdef".toCharArray();
  private static final byte[] DIGITS = digits();
  private static final Pattern V0_UUID =
      Pattern.compile(
          "(?i)(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
              + "|\\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\}"
              + "|[0-9a-f]{32}");
  private static final ThreadLocal<RandomBits> RANDOM = ThreadLocal.withInitial(RandomBits::new);
  private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Ids::sha256);

  private Ids() {}

  /**
   * Parses an id of the v1 API.
   *
   * @param text empty for nobody
   * @throws InvalidIdException if it is longer than 1,024 bytes of UTF-8 or UTF-8 cannot encode it
   */
  public static IdKey ofV1(String text) {
    if (text.isEmpty()) {
      return IdKey.NOBODY;
    }
    if (isCanonicalUuid(text)) {
      long high = uuidHigh(text);
      if (high != 0) {
        return new IdKey(high, uuidLow(text), "");
      }
    } else if (isHex(text)) {
      long low = hex(text, 0, HEX_LENGTH);
      if (low != 0) {
        return new IdKey(0, low, "");
      }
    }
    return ofHash(text);
  }

  /**
   * Parses an id of the v0 API: a UUID in canonical form, with the prefix {@code urn:uuid:}, in
   * braces, or as 32 hex digits, in upper or lower case. The zero UUID is nobody.
   *
   * @throws InvalidIdException if it is not such a UUID
   */
  public static IdKey ofV0(String text) {
    if (isCanonicalUuid(text)) {
      return ofKey(uuidHigh(text), uuidLow(text));
    }
    if (!V0_UUID.matcher(text).matches()) {
      throw new InvalidIdException("not a UUID: " + quote(text));
    }
    String digits =
        text.toLowerCase(Locale.ROOT)
            .replace("urn:uuid:", "")
            .replace("{", "")
            .replace("}", "")
            .replace("-", "");
    return ofKey(hex(digits, 0, HEX_LENGTH), hex(digits, HEX_LENGTH, 2 * HEX_LENGTH));
  }

  private static IdKey ofKey(long high, long low) {
    return (high | low) == 0 ? IdKey.NOBODY : new IdKey(high, low, "");
  }

  /**
   * The id as the v1 API shows it.
   *
   * @param text stored beside the key; empty if the key encodes it
   * @return empty for nobody
   */
  public static String v1Text(long high, long low, String text) {
    if (!text.isEmpty()) {
      return text;
    }
    if (high != 0) {
      return v0Text(high, low);
    }
    if (low == 0) {
      return "";
    }
    char[] chars = new char[HEX_LENGTH];
    putHex(chars, 0, low, HEX_LENGTH);
    return new String(chars);
  }

  /** The id as the v0 API shows it: the key as a canonical UUID. */
  public static String v0Text(long high, long low) {
    char[] chars = new char[UUID_LENGTH];
    putHex(chars, 0, high >>> 32, 8);
    chars[8] = '-';
    putHex(chars, 9, high >>> 16, 4);
    chars[13] = '-';
    putHex(chars, 14, high, 4);
    chars[18] = '-';
    putHex(chars, 19, low >>> 48, 4);
    chars[23] = '-';
    putHex(chars, 24, low, 12);
    return new String(chars);
  }

  /** Generates an id for a v0 request without one: an unguessable version-4 UUID. */
  public static IdKey randomV0() {
    RandomBits random = RANDOM.get();
    return uuid(4, random.nextLong(), random.nextLong(), "");
  }

  /** Generates an id for a v1 request without one: 16 unguessable hex digits. */
  public static IdKey randomV1() {
    RandomBits random = RANDOM.get();
    long low;
    do {
      low = random.nextLong();
    } while (low == 0);
    return new IdKey(0, low, "");
  }

  private static IdKey ofHash(String text) {
    ByteBuffer utf8 = utf8(text);
    if (utf8.remaining() > Limits.TEXT_BYTES_MAX) {
      throw new InvalidIdException(
          "an id of " + utf8.remaining() + " bytes, the limit is " + Limits.TEXT_BYTES_MAX);
    }
    MessageDigest digest = SHA_256.get();
    digest.update(utf8);
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    return uuid(8, hash.getLong(), hash.getLong(), text);
  }

  /** Sets the version and variant bits of a UUID (RFC 9562). */
  private static IdKey uuid(long version, long high, long low, String text) {
    return new IdKey((high & ~0xF000L) | (version << 12), (low << 2 >>> 2) | Long.MIN_VALUE, text);
  }

  private static ByteBuffer utf8(String text) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new InvalidIdException("an id with an unpaired surrogate");
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform lacks SHA-256", e);
    }
  }

  private static boolean isHex(String text) {
    return text.length() == HEX_LENGTH && (hex(text, 0, 8) | hex(text, 8, HEX_LENGTH)) >= 0;
  }

  private static boolean isCanonicalUuid(String text) {
    return text.length() == UUID_LENGTH
        && text.charAt(8) == '-'
        && text.charAt(13) == '-'
        && text.charAt(18) == '-'
        && text.charAt(23) == '-'
        && (hex(text, 0, 8)
                | hex(text, 9, 13)
                | hex(text, 14, 18)
                | hex(text, 19, 23)
                | hex(text, 24, UUID_LENGTH))
            >= 0;
  }

  private static long uuidHigh(String text) {
    return hex(text, 0, 8) << 32 | hex(text, 9, 13) << 16 | hex(text, 14, 18);
  }

  private static long uuidLow(String text) {
    return hex(text, 19, 23) << 48 | hex(text, 24, UUID_LENGTH);
  }

  /** The value of lower-case hex digits; for fewer than 16, negative if one is not a hex digit. */
  private static long hex(String text, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      // The sign bits of -1 survive shifts by later digits.
      value = value << 4 | (c < DIGITS.length ? DIGITS[c] : -1);
    }
    return value;
  }

  private static byte[] digits() {
    byte[] digits = new byte['f' + 1];
    Arrays.fill(digits, (byte) -1);
    for (int i = 0; i < HEX.length; i++) {
      digits[HEX[i]] = (byte) i;
    }
    return digits;
  }

  private static void putHex(char[] chars, int at, long value, int digits) {
    for (int i = 0; i < digits; i++) {
      chars[at + i] = HEX[(int) (value >>> (4 * (digits - 1 - i))) & 0xF];
    }
  }

  private static String quote(String text) {
    return text.length() <= QUOTED_CHARS_MAX
        ? "\"" + text + "\""
        : "\"" + text.substring(0, QUOTED_CHARS_MAX) + "...\" (" + text.length() + " characters)";
  }
}
