package io.entroq.server.logging;

import java.util.logging.Level;

/** From which weight on something is worth a line. */
public enum LogLevel {
  /** What cannot go on. */
  ERROR(Level.SEVERE),
  /** What somebody should look at. */
  WARN(Level.WARNING),
  /** What happened. */
  INFO(Level.INFO),
  /** How it happened. */
  DEBUG(Level.FINE);

  @SuppressWarnings("ImmutableEnumChecker") // A level is, though nothing says so.
  private final Level level;

  LogLevel(Level level) {
    this.level = level;
  }

  Level level() {
    return level;
  }

  /** The word for what a library has logged. */
  static String wordOf(Level level) {
    int weight = level.intValue();
    if (weight >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (weight >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return weight >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }
}
