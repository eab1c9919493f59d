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

/** Opens an engine as the settings say. */
final class EngineFactory {
  /** EntroQ's own server takes snapshots at most this often. */
  private static final Duration PERIODIC_SNAPSHOT_MIN = Duration.ofMinutes(1);

  private final Settings settings;
  private final Optional<Path> directory;

  EngineFactory(Settings settings) {
    this.settings = settings;
    this.directory = StoreDirectory.of(settings);
  }

  /** What a reply guarantees; {@code NONE} without a directory. */
  Durability durability() {
    return directory.isEmpty()
        ? Durability.NONE
        : settings.find(StoreSettings.DURABILITY).orElse(Durability.DISK);
  }

  /**
   * Opens the engine.
   *
   * @throws io.entroq.api.EntroQException.Storage if the directory cannot be used
   * @throws CommandException if settings contradict each other, or required JVM flags are missing
   */
  EmbeddedEntroQ open() {
    return open(snapshotInterval());
  }

  /** Opens an engine that takes a snapshot immediately. */
  EmbeddedEntroQ openForSnapshot() {
    return open(Duration.ofMillis(1));
  }

  private EmbeddedEntroQ open(Duration snapshotInterval) {
    StoreDirectory.prepare(settings);
    try {
      return EmbeddedEntroQ.open(config(snapshotInterval));
    } catch (IllegalArgumentException | IllegalStateException e) {
      // Contradicting limits, or missing JVM flags.
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
        .history(new ServerLimits(settings).history())
        .acceptClock(settings.get(StoreSettings.ACCEPT_CLOCK))
        .idleYield(settings.get(LimitSettings.IDLE_YIELD));
    applyLimits(config);
    return config.build();
  }

  private void applyLimits(EmbeddedConfig.Builder config) {
    new ServerLimits(settings).applyTo(config);
    config.unforcedBytesMax(settings.get(LimitSettings.UNFORCED_BYTES_MAX));
  }

  private Duration snapshotInterval() {
    return settings
        .find(StoreSettings.PERIODIC_SNAPSHOT)
        .map(period -> period.compareTo(PERIODIC_SNAPSHOT_MIN) < 0 ? PERIODIC_SNAPSHOT_MIN : period)
        .orElseGet(() -> settings.get(StoreSettings.SNAPSHOT_INTERVAL));
  }
}
