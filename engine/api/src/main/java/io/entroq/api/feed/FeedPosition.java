package io.entroq.api.feed;

import io.entroq.api.EntroQException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a log a reader has seen. It means the same on all members of a cluster. Immutable.
 *
 * @param sequence of the last step seen; 0 before the first one
 * @param index of the last effect seen of that step, from 0; {@link #WHOLE_STEP} if all were
 * @param log names the log; empty if the position may be of any. A feed of another log is refused
 * @param timeMs the time of the step, in milliseconds since the epoch; 0 if it is not known, or the
 *     log is not. A log in which the step has another one has lost the step, by a loss of power at
 *     {@link io.entroq.api.Durability#OS}, and refuses the position
 */
public record FeedPosition(long sequence, int index, String log, long timeMs) {
  /** The index after all effects of a step. */
  public static final int WHOLE_STEP = Integer.MAX_VALUE;

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,19})(?:-(\\d{1,10}))?(?:@(.+?)(?:\\.(\\d{1,19}))?)?");
  private static final int CHARS_QUOTED = 80;

  /** Throws {@link EntroQException.InvalidArgument} if a number is negative. */
  public FeedPosition {
    if (sequence < 0 || index < 0 || timeMs < 0) {
      throw new EntroQException.InvalidArgument(
          "a position has no negative numbers: sequence %d, index %d, time %d"
              .formatted(sequence, index, timeMs));
    }
    Objects.requireNonNull(log, "log");
  }

  /** After a step of any log; 0: before everything. */
  public static FeedPosition after(long sequence) {
    return new FeedPosition(sequence, WHOLE_STEP, "", 0);
  }

  /**
   * Reads the {@link #text}.
   *
   * @throws EntroQException.InvalidArgument if it is not one
   */
  public static FeedPosition of(String text) {
    Matcher parts = TEXT.matcher(text);
    if (parts.matches()) {
      try {
        return new FeedPosition(
            Long.parseLong(parts.group(1)),
            parts.group(2) == null ? WHOLE_STEP : Integer.parseInt(parts.group(2)),
            parts.group(3) == null ? "" : parts.group(3),
            parts.group(4) == null ? 0 : Long.parseLong(parts.group(4)));
      } catch (NumberFormatException e) {
        // Too large; refused below.
      }
    }
    throw new EntroQException.InvalidArgument(
        "not a position, such as 731-2: \"%s\""
            .formatted(text.substring(0, Math.min(CHARS_QUOTED, text.length()))));
  }

  /**
   * Its text, to be kept: {@code 731-2@LOG.TIME}, or {@code 731@LOG.TIME} after a whole step, and
   * without the time if that is not known.
   */
  public String text() {
    String step = index == WHOLE_STEP ? Long.toString(sequence) : sequence + "-" + index;
    String time = timeMs == 0 ? "" : "." + timeMs;
    return log.isEmpty() ? step : step + "@" + log + time;
  }

  /** The {@link #text}. */
  @Override
  public String toString() {
    return text();
  }
}
