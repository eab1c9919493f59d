package io.entroq.perf.jmh.record;

import java.io.IOException;
import java.nio.file.Path;

/** The targets, as values of a benchmark's parameter. */
public enum RecordTargets {
  /** The log of the engine: header, its checksum, and positions for readers. */
  LOG {
    @Override
    public RecordTarget open(Path directory) {
      return new LogTarget(directory);
    }
  },

  /** A Chronicle queue with the same settings. */
  CHRONICLE {
    @Override
    public RecordTarget open(Path directory) {
      return new ChronicleTarget(directory);
    }
  },

  /** A mapped file. */
  MAPPED {
    @Override
    public RecordTarget open(Path directory) throws IOException {
      return new MappedTarget(directory);
    }
  };

  /** Opens a target in a directory, which may not exist yet. */
  public abstract RecordTarget open(Path directory) throws IOException;
}
