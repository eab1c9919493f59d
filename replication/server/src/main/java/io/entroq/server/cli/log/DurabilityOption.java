package io.entroq.server.cli.log;

import io.entroq.api.Durability;
import io.entroq.engine.log.scan.HolePolicy;
import picocli.CommandLine.Option;

/** The durability of a data directory. The directory itself does not record it. */
public final class DurabilityOption {
  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "Durability that the engine uses for this log. It decides what a gap near the end means:"
              + " damage (none, os), or a write cut off by a power failure (disk). Default: os.")
  private Durability level;

  /** Whether it was given on the command line. */
  public boolean isGiven() {
    return level != null;
  }

  Durability level() {
    return level == null ? Durability.OS : level;
  }

  /** How to treat a hole in the log. */
  public HolePolicy policy() {
    return HolePolicy.of(level());
  }
}
