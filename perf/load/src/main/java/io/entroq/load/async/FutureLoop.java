package io.entroq.load.async;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * A loop over calls that return futures. It goes on in the thread that completes them; only that
 * thread and the one that begins use it.
 */
public final class FutureLoop implements AsyncLoop {
  private final int number;
  private final Histogram callNs;
  private final Function<FutureLoop, CompletableFuture<?>> cycle;
  private final AtomicLong cycles = new AtomicLong();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private volatile boolean isOver;
  private volatile Throwable failure;

  /**
   * Prepares a loop, to be run once.
   *
   * @param number distinguishes it from the others
   * @param callNs takes the calls of all loops that share it, from several threads
   * @param cycle makes one cycle of {@linkplain #timed timed} calls
   */
  public FutureLoop(
      int number, Histogram callNs, Function<FutureLoop, CompletableFuture<?>> cycle) {
    this.number = number;
    this.callNs = callNs;
    this.cycle = cycle;
  }

  /** Distinguishes it from others. */
  public int number() {
    return number;
  }

  /** Makes a call and records how long it takes, unless the loop has been stopped meanwhile. */
  public <T> CompletableFuture<T> timed(Supplier<CompletableFuture<T>> call) {
    long startNs = System.nanoTime();
    return call.get()
        .whenComplete(
            (answer, thrown) -> {
              if (!isOver) {
                callNs.recordValue(System.nanoTime() - startNs);
              }
            });
  }

  @Override
  public void begin() {
    CompletableFuture<?> unused =
        cycle
            .apply(this)
            .whenComplete(
                (nothing, thrown) -> {
                  cycles.incrementAndGet();
                  if (thrown != null) {
                    failure = thrown;
                    end.complete(null);
                  } else if (isOver) {
                    end.complete(null);
                  } else {
                    begin();
                  }
                });
  }

  @Override
  public void stop(Runnable atEnd) {
    isOver = true;
    CompletableFuture<Void> unused = end.thenRun(atEnd);
  }

  @Override
  public long cycles() {
    return cycles.get();
  }

  @Override
  public Histogram callNs() {
    return callNs;
  }

  @Override
  public Throwable failure() {
    return failure;
  }
}
