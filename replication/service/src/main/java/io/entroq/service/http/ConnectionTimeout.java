package io.entroq.service.http;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The current timeout of a connection. It is set anew for each request, so it costs nothing to
 * extend: one timer checks when the earliest end has come. Event loop.
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

  /** It ends so long from now. */
  void expireIn(Duration time) {
    isBounded = true;
    endNs = System.nanoTime() + time.toNanos();
    if (timer == null || timerNs - endNs > 0) {
      stopTimer();
      startTimer();
    }
  }

  /** It does not end. */
  void suspend() {
    isBounded = false;
  }

  /** Stops for good. */
  void stop() {
    isBounded = false;
    stopTimer();
  }

  private void startTimer() {
    timerNs = endNs;
    timer = loop.schedule(this::look, Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void look() {
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
