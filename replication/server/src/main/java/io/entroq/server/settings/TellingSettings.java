package io.entroq.server.settings;

import io.entroq.server.logging.LogFormat;
import io.entroq.server.logging.LogLevel;
import java.util.List;

/** What a server tells of itself. */
public final class TellingSettings {
  private static final Declaring IN = new Declaring(Section.TELLING);

  public static final Setting<LogLevel> LOG_LEVEL =
      IN.standard(
          "log-level",
          Kinds.choice("LEVEL", LogLevel.class),
          "info",
          "What the log tells of, on standard error. Of libraries it tells what is wrong.");

  public static final Setting<LogFormat> LOG_FORMAT =
      IN.standard(
          "log-format",
          Kinds.choice("FORMAT", LogFormat.class),
          "text",
          "What its lines look like; json: for machines.");

  private TellingSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(LOG_LEVEL, LOG_FORMAT);
  }
}
