package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.server.settings.Settings;
import io.entroq.service.admin.AdminService;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.http.Health;
import io.entroq.service.metrics.Metrics;
import java.util.Locale;
import java.util.Optional;

/** An engine of the server's own. */
final class EngineBackend implements Backend {
  private static final Completion UNHEARD =
      new Completion() {
        @Override
        public void onResult(ResultDecoder result) {}

        @Override
        public void onFailure(EntroQException failure) {}
      };

  private final Settings settings;
  private final EngineFactory setUp;
  private final EmbeddedEntroQ queue;

  private EngineBackend(Settings settings) {
    this.settings = settings;
    setUp = new EngineFactory(settings);
    queue = setUp.open();
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
  public void measure(Metrics metrics) {
    metrics.engine(queue::stats);
    metrics.level(queue::level);
  }

  @Override
  public String description() {
    return StoreDirectory.of(settings)
        .map(
            path ->
                "%s, durability %s"
                    .formatted(path, setUp.durability().name().toLowerCase(Locale.ROOT)))
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
                    new EngineBackups(directory, setUp.durability(), queue),
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
      queue.gateway().time(UNHEARD);
    } catch (EntroQException.ResourceExhausted e) {
      // It is busy, and so it is open.
    }
  }

  @Override
  public void close() {
    queue.close();
  }
}
