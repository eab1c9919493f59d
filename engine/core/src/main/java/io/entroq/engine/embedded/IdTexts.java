package io.entroq.engine.embedded;

import io.entroq.codec.command.IdFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;
import java.util.regex.Pattern;

/** Ids between text and key. */
final class IdTexts {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{16}");
  private static final Pattern CANON =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private IdTexts() {}

  static void set(IdFields id, String text) {
    if (text.isEmpty()) {
      id.set(0, 0);
      return;
    }
    if (HEX.matcher(text).matches() && !text.equals("0000000000000000")) {
      id.set(0, Long.parseUnsignedLong(text, 16));
      return;
    }
    if (CANON.matcher(text).matches()) {
      UUID u = UUID.fromString(text);
      if (u.getMostSignificantBits() != 0) {
        id.set(u.getMostSignificantBits(), u.getLeastSignificantBits());
        return;
      }
    }
    try {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      ByteBuffer b = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(utf8));
      id.set((b.getLong() & ~0xF000L) | 0x8000L, (b.getLong() & ~0xC000000000000000L) | (1L << 63));
      id.text().wrap(utf8);
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String text(long high, long low, String text) {
    if (!text.isEmpty()) {
      return text;
    }
    if (high == 0) {
      return low == 0 ? "" : "%016x".formatted(low);
    }
    return new UUID(high, low).toString();
  }
}
