package io.entroq.server.logging;

import java.util.logging.Level;

/** The lowest level that is logged. */
public enum LogLevel {
  /** An operation failed. */
  ERROR(Level.SEVERE),
  /** An operator should investigate. */
  WARN(Level.WARNING),
  /** Normal events. */
  INFO(Level.INFO),
  /** Details for debugging. */
  DEBUG(Level.FINE);

  @SuppressWarnings("ImmutableEnumChecker") // Level is immutable, but not annotated.
  private final Level level;

  LogLevel(Level level) {
    this.level = level;
  }

  Level level() {
    return level;
  }

  /** Our name for a JDK level. */
  static String wordOf(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (value >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return value >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }
}
