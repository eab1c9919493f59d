package io.entroq.perf.replicated;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Calls of which each begins when the one before has been answered. */
final class Chain {
  private final int number;
  private final Histogram callNs;
  private volatile boolean isOver;

  /**
   * @param callNs takes down how long calls take; that of all chains
   */
  Chain(int number, Histogram callNs) {
    this.number = number;
    this.callNs = callNs;
  }

  int number() {
    return number;
  }

  /** What is answered from here on does not count. */
  void end() {
    isOver = true;
  }

  boolean isOver() {
    return isOver;
  }

  /** Makes a call, and takes down how long it takes. */
  <T> CompletableFuture<T> timed(Supplier<CompletableFuture<T>> call) {
    long startNs = System.nanoTime();
    return call.get()
        .whenComplete(
            (answer, failure) -> {
              if (!isOver) {
                callNs.recordValue(System.nanoTime() - startNs);
              }
            });
  }
}
