package io.entroq.perf.jmh.record;

import java.io.IOException;
import java.nio.file.Path;

/** The targets there are, by what a benchmark calls them. */
public enum RecordTargets {
  /** The log of the engine: header, checksum of the header, positions that others read. */
  LOG {
    @Override
    public RecordTarget open(Path directory) {
      return new LogTarget(directory);
    }
  },

  /** A Chronicle queue set up in the same way, and nothing of ours. */
  CHRONICLE {
    @Override
    public RecordTarget open(Path directory) {
      return new ChronicleTarget(directory);
    }
  },

  /** A mapped file, the plainest there is. */
  MAPPED {
    @Override
    public RecordTarget open(Path directory) throws IOException {
      return new MappedTarget(directory);
    }
  };

  /** Opens one in a directory, which is made if need be. */
  public abstract RecordTarget open(Path directory) throws IOException;
}
