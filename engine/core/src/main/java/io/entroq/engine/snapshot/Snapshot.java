package io.entroq.engine.snapshot;

import java.nio.file.Path;

/**
 * A snapshot under its final name. Only reading it tells whether it is good.
 *
 * @param sequence sequence of the last record applied to it
 * @param directory its files
 */
public record Snapshot(long sequence, Path directory) {
  static final String STATE = "state";
  static final String MANIFEST = "manifest";

  /** The file of chunks. */
  public Path state() {
    return directory.resolve(STATE);
  }

  /** The file that says what the state is of. */
  public Path manifest() {
    return directory.resolve(MANIFEST);
  }
}
