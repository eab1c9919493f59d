package io.entroq.service.feed;

import com.google.protobuf.ByteString;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a log has been seen. {@code entroq/v1/feed.proto} describes its text.
 *
 * @param index the last effect seen of the step; {@link #WHOLE_STEP}: all of them
 * @param logId null if it is of any log
 * @param timeMs the time of the step, in milliseconds since the epoch; 0 if it is not known, or the
 *     log is not
 */
public record FeedPosition(long sequence, int index, UUID logId, long timeMs) {
  static final int WHOLE_STEP = Integer.MAX_VALUE;

  private static final Pattern TEXT =
      Pattern.compile(
          "(\\d{1,19})(?:-(\\d{1,10}))?(?:@(\\p{XDigit}{16})(\\p{XDigit}{16})(?:\\.(\\d{1,19}))?)?");
  private static final int HEX = 16;
  private static final int CHARS_QUOTED = 80;

  /**
   * Reads a position.
   *
   * @param field named in the error
   * @throws RefusedException if it is malformed
   */
  static FeedPosition of(String field, String text) {
    Matcher parts = TEXT.matcher(text);
    if (parts.matches()) {
      try {
        return new FeedPosition(
            Long.parseLong(parts.group(1)),
            parts.group(2) == null ? WHOLE_STEP : Integer.parseInt(parts.group(2)),
            parts.group(3) == null
                ? null
                : new UUID(
                    Long.parseUnsignedLong(parts.group(3), HEX),
                    Long.parseUnsignedLong(parts.group(4), HEX)),
            parts.group(5) == null ? 0 : Long.parseLong(parts.group(5)));
      } catch (NumberFormatException e) {
        // Too large; refused below.
      }
    }
    throw new RefusedException(
        Refusal.invalid(
            "%s: not a position: \"%s\""
                .formatted(field, text.substring(0, Math.min(CHARS_QUOTED, text.length())))));
  }

  /** Its text. */
  public String text() {
    String step = Long.toString(sequence);
    String effect = index == WHOLE_STEP ? step : step + '-' + index;
    String time = timeMs == 0 ? "" : "." + timeMs;
    return logId == null ? effect : effect + '@' + logId.toString().replace("-", "") + time;
  }

  /** The id of a log as responses have it. */
  static ByteString bytes(UUID logId) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
    bytes.putLong(logId.getMostSignificantBits()).putLong(logId.getLeastSignificantBits());
    return ByteString.copyFrom(bytes.flip());
  }

  /** The id of a log of a response. */
  public static UUID logId(ByteString bytes) {
    ByteBuffer halves = bytes.asReadOnlyByteBuffer();
    return new UUID(halves.getLong(), halves.getLong());
  }
}
