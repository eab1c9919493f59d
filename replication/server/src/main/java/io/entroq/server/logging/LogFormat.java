package io.entroq.server.logging;

import java.util.function.UnaryOperator;
import java.util.logging.Formatter;

/** The format of log lines. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object per line. */
  JSON;

  /**
   * Creates a formatter.
   *
   * @param wording rewrites every message
   */
  Formatter formatter(UnaryOperator<String> wording) {
    return this == TEXT ? new TextLines(wording) : new JsonLogLines(wording);
  }
}
