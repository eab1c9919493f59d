package io.entroq.load.async;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** A loop over calls that return futures. It continues on the threads that complete them. */
public final class FutureLoop extends AsyncLoop {
  private final int number;
  private final Function<FutureLoop, CompletableFuture<?>> cycle;

  /**
   * Prepares a loop that runs once.
   *
   * @param number distinguishes it from other loops
   * @param callNs records the calls of all loops that share it, from several threads
   * @param cycle makes one cycle of {@linkplain #timed timed} calls
   */
  public FutureLoop(
      int number, Histogram callNs, Function<FutureLoop, CompletableFuture<?>> cycle) {
    super(callNs);
    this.number = number;
    this.cycle = cycle;
  }

  public int number() {
    return number;
  }

  /** Makes a call and records how long it takes, unless the loop is stopped meanwhile. */
  public <T> CompletableFuture<T> timed(Supplier<CompletableFuture<T>> call) {
    long startNs = System.nanoTime();
    return call.get()
        .whenComplete(
            (answer, thrown) -> {
              if (!isStopped()) {
                callNs().recordValue(System.nanoTime() - startNs);
              }
            });
  }

  @Override
  protected void start() {
    CompletableFuture<?> unused =
        cycle
            .apply(this)
            .whenComplete(
                (nothing, thrown) -> {
                  countCycle();
                  if (thrown != null) {
                    fail(thrown);
                  } else if (isStopped()) {
                    end();
                  } else {
                    start();
                  }
                });
  }
}
