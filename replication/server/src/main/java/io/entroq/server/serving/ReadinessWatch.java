package io.entroq.server.serving;

import io.entroq.service.http.Health;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells callers over gRPC whether to come.
 *
 * <p>A vote takes a few seconds, and a caller that comes meanwhile is served after it. Clients of
 * EntroQ ask once, when they open, and give up if the answer is no. So a member that was ready goes
 * on saying yes for a while; only one that has ended says no at once.
 */
final class ReadinessWatch implements AutoCloseable {
  private static final long LOOK_MS = 100;

  /** How long it says yes after the member was last ready. */
  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(30);

  private final Health health;
  private final Consumer<Boolean> told;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(ReadinessWatch::thread);

  /** The member was ready within the grace; false also before it has ever been. */
  private boolean isServing;

  private long lastReadyNs;

  /**
   * One that looks only when it is told to.
   *
   * @param told hears whether callers should come, at each look
   * @param nanoTime as {@link System#nanoTime}
   */
  ReadinessWatch(Health health, Consumer<Boolean> told, LongSupplier nanoTime) {
    this.health = health;
    this.told = told;
    this.nanoTime = nanoTime;
  }

  /** Looks from now on, the first time before this returns. */
  static ReadinessWatch start(Health health, Consumer<Boolean> told) {
    ReadinessWatch watch = new ReadinessWatch(health, told, System::nanoTime);
    watch.look();
    var unused =
        watch.clock.scheduleWithFixedDelay(watch::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    return watch;
  }

  /** Looks once. One thread at a time. */
  void look() {
    long nowNs = nanoTime.getAsLong();
    if (health.unreadyBecause().isEmpty()) {
      isServing = true;
      lastReadyNs = nowNs;
    } else if (nowNs - lastReadyNs >= GRACE_NS || health.deadBecause().isPresent()) {
      isServing = false;
    }
    told.accept(isServing);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-readiness");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
