package io.entroq.server.serving;

import io.entroq.service.http.Health;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Sets the status of the gRPC health service.
 *
 * <p>Clients of EntroQ ask once, when they connect, and give up if the server is not serving. An
 * election takes a few seconds, and callers that connect meanwhile are served after it. So a member
 * keeps reporting SERVING for a while after it was last ready; only one that has ended reports
 * NOT_SERVING at once.
 */
final class ReadinessMonitor implements AutoCloseable {
  private static final long CHECK_MS = 100;

  /** How long it reports SERVING after the member was last ready. */
  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(30);

  private final Health health;
  private final Consumer<Boolean> listener;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(ReadinessMonitor::thread);

  /** Whether the member was ready within the grace period. */
  private boolean isServing;

  private long lastReadyNs;

  /**
   * A monitor that checks only on {@link #check}.
   *
   * @param listener is called with whether the member is serving, at each check
   * @param nanoTime as {@link System#nanoTime}
   */
  ReadinessMonitor(Health health, Consumer<Boolean> listener, LongSupplier nanoTime) {
    this.health = health;
    this.listener = listener;
    this.nanoTime = nanoTime;
  }

  /** Starts checking; the first check is done when this returns. */
  static ReadinessMonitor start(Health health, Consumer<Boolean> listener) {
    ReadinessMonitor watch = new ReadinessMonitor(health, listener, System::nanoTime);
    watch.check();
    var unused =
        watch.clock.scheduleWithFixedDelay(watch::check, CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
    return watch;
  }

  /** Checks once. One thread at a time. */
  void check() {
    long nowNs = nanoTime.getAsLong();
    if (health.unreadyBecause().isEmpty()) {
      isServing = true;
      lastReadyNs = nowNs;
    } else if (nowNs - lastReadyNs >= GRACE_NS || health.deadBecause().isPresent()) {
      isServing = false;
    }
    listener.accept(isServing);
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
