package io.entroq.server.logging;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Shared by the text and JSON formats. */
abstract class Lines extends Formatter {
  private final UnaryOperator<String> wording;

  /**
   * @param wording rewrites every message
   */
  Lines(UnaryOperator<String> wording) {
    this.wording = wording;
  }

  /** The message with its parameters. */
  final String message(LogRecord entry) {
    return wording.apply(String.valueOf(formatMessage(entry)));
  }

  /** The time in UTC, with milliseconds. */
  static String time(LogRecord entry) {
    Instant time = entry.getInstant().truncatedTo(ChronoUnit.MILLIS);
    // Instant omits zero milliseconds; logs always have three digits.
    return time.get(ChronoField.MILLI_OF_SECOND) == 0
        ? time.toString().replace("Z", ".000Z")
        : time.toString();
  }

  /** The stack trace; empty if there is none. */
  static String trace(LogRecord entry) {
    if (entry.getThrown() == null) {
      return "";
    }
    StringWriter text = new StringWriter();
    entry.getThrown().printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
