package io.entroq.server.cli;

import io.entroq.api.Durability;
import io.entroq.engine.log.scan.HolePolicy;
import java.util.Optional;
import picocli.CommandLine.Option;

/** At which level the log of a directory is kept, which the directory does not say. */
final class DurabilityOption {
  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "The level of the engine that keeps the log. It decides what a hole in it means that may"
              + " never have been on the disk: damage (none, os), or a torn end (disk). Default: os.")
  private Durability level;

  /**
   * Why it makes no sense, for people; empty if it does.
   *
   * @param isLocal whether there is a data directory at all
   */
  Optional<String> objection(boolean isLocal) {
    return level == null || isLocal
        ? Optional.empty()
        : Optional.of("--durability is about a data directory, and not for -s");
  }

  Durability level() {
    return level == null ? Durability.OS : level;
  }

  HolePolicy policy() {
    return HolePolicy.of(level());
  }
}
