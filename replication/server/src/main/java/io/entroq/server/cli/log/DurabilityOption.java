package io.entroq.server.cli.log;

import io.entroq.api.Durability;
import io.entroq.engine.log.scan.HolePolicy;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The durability of a data directory, which the directory itself does not record. */
final class DurabilityOption {
  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "Durability that the engine uses for this log. It decides what a gap near the end means:"
              + " damage (none, os), or a write that a power failure cut off (disk). Default: os.")
  private Durability level;

  /**
   * Why the option cannot be used; empty if it can.
   *
   * @param isLocal whether the command works on a data directory
   */
  Optional<String> objection(boolean isLocal) {
    return level == null || isLocal
        ? Optional.empty()
        : Optional.of("--durability applies to a data directory, not to -s");
  }

  Durability level() {
    return level == null ? Durability.OS : level;
  }

  HolePolicy policy() {
    return HolePolicy.of(level());
  }
}
