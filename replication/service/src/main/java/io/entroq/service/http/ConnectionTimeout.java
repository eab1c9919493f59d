package io.entroq.service.http;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The current timeout of a connection. Every request extends it, so extending only sets a field;
 * one timer checks the field when it fires. Event loop.
 */
final class ConnectionTimeout {
  private final EventExecutor loop;
  private final Runnable onExpiry;
  private boolean isActive;
  private long endNs;
  private Future<?> timer;
  private long timerNs;

  ConnectionTimeout(EventExecutor loop, Runnable onExpiry) {
    this.loop = loop;
    this.onExpiry = onExpiry;
  }

  void expireIn(Duration time) {
    isActive = true;
    endNs = System.nanoTime() + time.toNanos();
    if (timer == null || timerNs - endNs > 0) {
      stopTimer();
      startTimer();
    }
  }

  void suspend() {
    isActive = false;
  }

  void stop() {
    isActive = false;
    stopTimer();
  }

  private void startTimer() {
    timerNs = endNs;
    timer =
        loop.schedule(this::check, Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void check() {
    timer = null;
    if (!isActive) {
      return;
    }
    if (endNs - System.nanoTime() > 0) {
      startTimer();
    } else {
      isActive = false;
      onExpiry.run();
    }
  }
}
