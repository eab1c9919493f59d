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
 * <p>EntroQ's clients check once, when they connect, and give up if the server is not serving. A
 * failover takes about a second, and the server can serve clients that connect during it as soon as
 * it is over. So a member keeps reporting SERVING for {@code GRACE_NS} after it was last ready. A
 * member that has ended reports NOT_SERVING at once.
 */
final class ReadinessMonitor implements AutoCloseable {
  private static final long CHECK_MS = 100;

  /** How long to report SERVING after the member was last ready. */
  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(30);

  private final Health health;
  private final Consumer<Boolean> listener;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(ReadinessMonitor::thread);

  /** Whether the member was ready within the grace period. */
  private boolean isServing;

  private long lastReadyNs;

  /**
   * Creates a monitor that checks only when {@link #check} is called.
   *
   * @param listener receives at each check whether the member is serving
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  ReadinessMonitor(Health health, Consumer<Boolean> listener, LongSupplier nanoTime) {
    this.health = health;
    this.listener = listener;
    this.nanoTime = nanoTime;
  }

  /** Starts periodic checks. The first is complete when this returns. */
  static ReadinessMonitor start(Health health, Consumer<Boolean> listener) {
    ReadinessMonitor monitor = new ReadinessMonitor(health, listener, System::nanoTime);
    monitor.check();
    var unused =
        monitor.scheduler.scheduleWithFixedDelay(
            monitor::check, CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
    return monitor;
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
    scheduler.shutdownNow();
  }
}
