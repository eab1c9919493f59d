package io.entroq.server.serving;

import io.entroq.api.Durability;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.settings.LimitSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The engine of a server. */
final class EngineSetUp {
  /** EntroQ takes no snapshots more often than that, whatever it is told. */
  private static final Duration PERIODIC_SNAPSHOT_LEAST = Duration.ofMinutes(1);

  private final Settings settings;
  private final Optional<Path> directory;

  EngineSetUp(Settings settings) {
    this.settings = settings;
    this.directory = StoreDirectory.of(settings);
  }

  /** What a reply promises. */
  Durability durability() {
    return directory.isEmpty()
        ? Durability.NONE
        : settings.find(StoreSettings.DURABILITY).orElse(Durability.DISK);
  }

  /**
   * Opens it.
   *
   * @throws io.entroq.engine.log.LogException if the directory cannot be used
   * @throws CommandException if what it was told contradicts itself, or the JVM lacks flags
   */
  EmbeddedEntroQ open() {
    return open(snapshotInterval());
  }

  /** Opens it to take a snapshot soon. */
  EmbeddedEntroQ openForSnapshot() {
    return open(Duration.ofMillis(1));
  }

  private EmbeddedEntroQ open(Duration snapshotInterval) {
    StoreDirectory.prepare(settings);
    try {
      return EmbeddedEntroQ.open(config(snapshotInterval));
    } catch (IllegalArgumentException | IllegalStateException e) {
      // Two bounds that do not go together; or what a JVM is told that lacks flags.
      throw new CommandException(e.getMessage(), e);
    }
  }

  private EmbeddedConfig config(Duration snapshotInterval) {
    EmbeddedConfig.Builder config =
        directory.map(EmbeddedConfig::in).orElseGet(EmbeddedConfig::inMemory);
    config
        .durability(durability())
        .segmentBytes(Math.toIntExact(settings.get(StoreSettings.SEGMENT_BYTES)))
        .snapshotInterval(snapshotInterval)
        .snapshotLogBytes(settings.get(StoreSettings.SNAPSHOT_LOG_BYTES))
        .readerBytesMax(settings.get(StoreSettings.READER_BYTES_MAX))
        .acceptClock(settings.get(StoreSettings.ACCEPT_CLOCK))
        .idleYield(settings.get(LimitSettings.IDLE_YIELD));
    bound(config);
    return config.build();
  }

  private void bound(EmbeddedConfig.Builder config) {
    new Bounds(settings).bound(config);
    config.unforcedBytesMax(settings.get(LimitSettings.UNFORCED_BYTES_MAX));
  }

  private Duration snapshotInterval() {
    return settings
        .find(StoreSettings.PERIODIC_SNAPSHOT)
        .map(
            period ->
                period.compareTo(PERIODIC_SNAPSHOT_LEAST) < 0 ? PERIODIC_SNAPSHOT_LEAST : period)
        .orElseGet(() -> settings.get(StoreSettings.SNAPSHOT_INTERVAL));
  }
}
