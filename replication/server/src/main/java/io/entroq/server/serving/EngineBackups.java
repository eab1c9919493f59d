package io.entroq.server.serving;

import io.entroq.api.Durability;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.service.admin.BackupSource;
import java.nio.file.Path;
import java.util.Optional;

/** Backups of a standalone engine. */
final class EngineBackups implements BackupSource {
  private final Path directory;
  private final Durability durability;
  private final EmbeddedEntroQ queue;

  EngineBackups(Path directory, Durability durability, EmbeddedEntroQ queue) {
    this.directory = directory;
    this.durability = durability;
    this.queue = queue;
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public HolePolicy policy() {
    return HolePolicy.of(durability);
  }

  @Override
  public Aim aim() {
    EngineStats stats = queue.stats();
    // Callers have not seen the effects of records that a power failure could still lose.
    long sequence =
        durability == Durability.DISK ? stats.forcedSequence() : stats.appendedSequence();
    return new Aim(sequence, Optional.empty());
  }
}
