package io.entroq.engine.snapshot;

import java.nio.file.Path;

/**
 * A snapshot under its final name. It may be damaged; only reading it shows whether it is.
 *
 * @param sequence of the last record applied to it
 * @param directory its files
 */
public record Snapshot(long sequence, Path directory) {
  static final String STATE = "state";
  static final String MANIFEST = "manifest";

  public Path state() {
    return directory.resolve(STATE);
  }

  /** The file that identifies the state, see {@link Manifest}. */
  public Path manifest() {
    return directory.resolve(MANIFEST);
  }
}
