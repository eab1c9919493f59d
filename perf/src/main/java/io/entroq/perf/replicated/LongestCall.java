package io.entroq.perf.replicated;

/** A thread that commits one command after another and records the longest. */
final class LongestCall {
  private final Hosted hosted;
  private final Thread thread;
  private volatile boolean isOver;
  private volatile long longestNs;

  private LongestCall(Hosted hosted) {
    this.hosted = hosted;
    thread = new Thread(this::run, "longest-call");
    thread.setDaemon(true);
  }

  static LongestCall begin(Hosted hosted) {
    LongestCall call = new LongestCall(hosted);
    call.thread.start();
    return call;
  }

  private void run() {
    while (!isOver) {
      long startNs = System.nanoTime();
      hosted.commit();
      longestNs = Math.max(longestNs, System.nanoTime() - startNs);
    }
  }

  /** Stops, and returns the longest call in nanoseconds. */
  long end() {
    isOver = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return longestNs;
  }
}
