package io.entroq.server.logging;

import java.util.function.UnaryOperator;
import java.util.logging.LogRecord;

/** Formats log records for people. */
final class TextLines extends Lines {
  TextLines(UnaryOperator<String> wording) {
    super(wording);
  }

  @Override
  public String format(LogRecord entry) {
    return "%s [%s] %s %s - %s%n%s"
        .formatted(
            time(entry),
            Thread.currentThread().getName(),
            LogLevel.wordOf(entry.getLevel()),
            shortName(String.valueOf(entry.getLoggerName())),
            onOneLine(message(entry)),
            trace(entry));
  }

  private static String shortName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  /** Replaces control characters, so that text from callers cannot forge log lines. */
  private static String onOneLine(String message) {
    StringBuilder line = new StringBuilder(message.length());
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      line.append(Character.isISOControl(c) && c != '\t' ? ' ' : c);
    }
    return line.toString();
  }
}
