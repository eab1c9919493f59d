package io.entroq.perf.replicated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Several {@link Chain}s at once, begun anew until the time is over. */
final class Chains {
  private Chains() {}

  /**
   * Runs them.
   *
   * @param once goes through a chain once
   */
  static Outcome run(int count, Duration duration, Function<Chain, CompletableFuture<?>> once) {
    List<Chain> chains = new ArrayList<>();
    Histogram callNs = Histograms.ofConcurrentCalls();
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    final long startNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      Chain chain = new Chain(i, callNs);
      CompletableFuture<Void> end = new CompletableFuture<>();
      chains.add(chain);
      ends.add(end);
      again(chain, once, end);
    }
    long endNs = startNs + duration.toNanos();
    while (System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(endNs - System.nanoTime());
    }
    chains.forEach(Chain::end);
    final long nanos = System.nanoTime() - startNs;
    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    return Outcome.of(callNs, nanos);
  }

  private static void again(
      Chain chain, Function<Chain, CompletableFuture<?>> once, CompletableFuture<Void> end) {
    CompletableFuture<?> unused =
        once.apply(chain)
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    end.completeExceptionally(new CompletionException(failure));
                  } else if (chain.isOver()) {
                    end.complete(null);
                  } else {
                    again(chain, once, end);
                  }
                });
  }
}
