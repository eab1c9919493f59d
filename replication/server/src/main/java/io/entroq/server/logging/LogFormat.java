package io.entroq.server.logging;

import java.util.logging.Formatter;

/** What a line looks like. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** For machines: an object of JSON in each line. */
  JSON;

  Formatter formatter() {
    return this == TEXT ? new TextLines() : new JsonLogLines();
  }
}
