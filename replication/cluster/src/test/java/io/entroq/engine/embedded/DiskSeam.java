package io.entroq.engine.embedded;

import java.util.function.LongSupplier;

/** Lets a member that is tested have a disk with as much free as the test says. */
public final class DiskSeam {
  private DiskSeam() {}

  /** Sets how many bytes are free. */
  public static EmbeddedConfig.Builder usableBytes(
      EmbeddedConfig.Builder config, LongSupplier usableBytes) {
    return config.diskSpace(directory -> usableBytes.getAsLong());
  }
}
