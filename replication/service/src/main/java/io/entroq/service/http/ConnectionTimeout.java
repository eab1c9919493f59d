package io.entroq.service.http;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The current timeout of a connection. Every request extends it, so that only sets a field: one
 * timer checks when the earliest end has come. Event loop.
 */
final class ConnectionTimeout {
  private final EventExecutor loop;
  private final Runnable onEnd;
  private boolean isBounded;
  private long endNs;
  private Future<?> timer;
  private long timerNs;

  ConnectionTimeout(EventExecutor loop, Runnable onEnd) {
    this.loop = loop;
    this.onEnd = onEnd;
  }

  void expireIn(Duration time) {
    isBounded = true;
    endNs = System.nanoTime() + time.toNanos();
    if (timer == null || timerNs - endNs > 0) {
      stopTimer();
      startTimer();
    }
  }

  void suspend() {
    isBounded = false;
  }

  void stop() {
    isBounded = false;
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
    if (!isBounded) {
      return;
    }
    if (endNs - System.nanoTime() > 0) {
      startTimer();
    } else {
      isBounded = false;
      onEnd.run();
    }
  }
}
