package io.entroq.server.settings;

import io.entroq.server.logging.LogFormat;
import io.entroq.server.logging.LogLevel;
import java.util.List;

/** Settings of the log. */
public final class LoggingSettings {
  private static final Section IN = Section.LOGGING;

  public static final Setting<LogLevel> LOG_LEVEL =
      IN.setting(
              "log-level",
              SettingTypes.choice("LEVEL", LogLevel.class),
              "info",
              "Lowest level that is logged to standard error: error, warn, info or debug. Library"
                  + " loggers: warn and above.")
          .changeWhen("you are diagnosing a problem");

  public static final Setting<LogFormat> LOG_FORMAT =
      IN.setting(
              "log-format",
              SettingTypes.choice("FORMAT", LogFormat.class),
              "text",
              "Format of log lines: text, or json with one object per line.")
          .changeWhen("a log collector reads the lines");

  private LoggingSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(LOG_LEVEL, LOG_FORMAT);
  }
}
