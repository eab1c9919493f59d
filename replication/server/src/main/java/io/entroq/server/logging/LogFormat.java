package io.entroq.server.logging;

import java.util.logging.Formatter;

/** The format of log lines. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object per line. */
  JSON;

  Formatter formatter() {
    return this == TEXT ? new TextLines() : new JsonLogLines();
  }
}
