package io.entroq.engine.feed;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Steps a feed while somebody waits, and a little longer. It looks instead of being woken, so that
 * the applying thread does nothing for readers.
 */
final class FeedThread {
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long QUIET_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Without effects for so long, it looks less often. Without need for so long, it ends. */
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

  private final FeedHub hub;
  private Thread thread;

  FeedThread(FeedHub hub) {
    this.hub = hub;
  }

  /** Starts it unless it runs. */
  synchronized void start() {
    if (thread == null) {
      thread = new Thread(this::run, "entroq-feed");
      thread.setDaemon(true);
      thread.start();
    }
  }

  synchronized boolean isRunning() {
    return thread != null;
  }

  private void run() {
    long progress = 0;
    long changedNs = System.nanoTime();
    long neededNs = changedNs;
    while (true) {
      hub.step();
      long nowNs = System.nanoTime();
      if (hub.progress() != progress) {
        progress = hub.progress();
        changedNs = nowNs;
      }
      if (hub.isNeeded()) {
        neededNs = nowNs;
      } else if (nowNs - neededNs > QUIET_NS && end()) {
        return;
      }
      LockSupport.parkNanos(this, nowNs - changedNs > QUIET_NS ? QUIET_PAUSE_NS : PAUSE_NS);
      // A flag left set would turn every pause into none.
      Thread.interrupted();
    }
  }

  /** False if it is needed after all: who needs it would not start another. */
  private synchronized boolean end() {
    if (hub.isNeeded()) {
      return false;
    }
    thread = null;
    return true;
  }
}
