package io.entroq.server.serving;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Views;
import io.entroq.server.settings.Settings;
import io.entroq.service.admin.AdminService;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.http.Health;
import io.entroq.service.insight.ServerFigures;
import io.entroq.service.metrics.Metrics;
import java.util.Locale;
import java.util.Optional;

/** A standalone engine in this process. */
final class EngineBackend implements Backend {
  private static final Completion IGNORED =
      new Completion() {
        @Override
        public void onResult(ResultDecoder result) {}

        @Override
        public void onFailure(EntroQException failure) {}
      };

  private final Settings settings;
  private final EngineFactory factory;
  private final EmbeddedEntroQ queue;

  private EngineBackend(Settings settings) {
    this.settings = settings;
    factory = new EngineFactory(settings);
    queue = factory.open();
  }

  /** See {@link EngineFactory#open}. */
  static EngineBackend open(Settings settings) {
    return new EngineBackend(settings);
  }

  @Override
  public Gateway gateway() {
    return queue.gateway();
  }

  @Override
  public EntroQ queue() {
    return queue;
  }

  @Override
  public EffectFeed feed() {
    return queue.feed();
  }

  @Override
  public Optional<Views> views() {
    return queue.views();
  }

  @Override
  public boolean isLogged() {
    return StoreDirectory.of(settings).isPresent();
  }

  @Override
  public boolean isInCharge() {
    return true;
  }

  @Override
  public void measure(Metrics metrics) {
    metrics.engine(queue::stats);
    metrics.level(queue::level);
  }

  @Override
  public ServerFigures figures() {
    EngineStats stats = queue.stats();
    return new ServerFigures(
        true,
        0,
        0,
        stats.isDiskLow(),
        stats.isDiskFull(),
        stats.writesRefusedForMemory(),
        stats.snapshots().failed(),
        stats.forces().count(),
        stats.forces().totalNs());
  }

  @Override
  public String description() {
    return StoreDirectory.of(settings)
        .map(
            path ->
                "%s, durability %s"
                    .formatted(path, factory.durability().name().toLowerCase(Locale.ROOT)))
        .orElse("memory; all tasks are lost at shutdown");
  }

  @Override
  public String status() {
    return "serves";
  }

  @Override
  public AdminService admin() {
    return StoreDirectory.of(settings)
        .<AdminService>map(
            directory ->
                new EngineAdmin(
                    new EngineBackups(directory, factory.durability(), queue),
                    new EngineLevels(queue)))
        .orElseGet(NoMemberAdmin::new);
  }

  @Override
  public Optional<Health> health() {
    return Optional.empty();
  }

  @Override
  public void requireOpen() {
    try {
      queue.gateway().time(IGNORED);
    } catch (EntroQException.ResourceExhausted e) {
      // Overloaded, but open.
    }
  }

  @Override
  public void close() {
    queue.close();
  }
}
