package io.entroq.engine.snapshot;

import java.nio.file.Path;

/**
 * A snapshot that has got its name; whether it is a good one, only reading it tells.
 *
 * @param sequence of the last record whose effects are in it
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
