package io.entroq.server.cli;

import io.entroq.api.Durability;
import io.entroq.engine.log.scan.HolePolicy;
import picocli.CommandLine.Option;

/** At which level the log of a directory is kept, which the directory does not say. */
final class DurabilityOption {
  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "The level of the engine that keeps the log. It decides what a hole in it means that may"
              + " never have been on the disk: damage (none, os), or a torn end (disk). Default: os.")
  private Durability level = Durability.OS;

  Durability level() {
    return level;
  }

  HolePolicy policy() {
    return HolePolicy.of(level);
  }
}
