package io.entroq.api;

import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for futures on behalf of blocking callers. */
final class Blocking {
  private static final long POLL_MS_MIN = 1;
  private static final long POLL_MS_MAX = 1_000;
  private static final long START_NANOS = System.nanoTime();

  private Blocking() {}

  /** Waits uninterruptibly; an interrupt stays pending. */
  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw unwrap(e.getCause());
    }
  }

  /** Waits; an interrupt cancels the future. */
  static <T> T awaitOrCancel(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw unwrap(e.getCause());
    } catch (CancellationException e) {
      throw new EntroQException.Closed("another thread cancelled the claim", e);
    } catch (InterruptedException e) {
      future.cancel(false);
      throw e;
    }
  }

  /** Checks a condition now and then at growing intervals, until it holds or time is up. */
  static boolean poll(BooleanSupplier condition, Duration maxWait) throws InterruptedException {
    long endMs = Times.plusSaturating(nowMs(), Times.toMs(maxWait));
    long pauseMs = POLL_MS_MIN;
    while (!condition.getAsBoolean()) {
      long leftMs = endMs - nowMs();
      if (leftMs <= 0) {
        return false;
      }
      Thread.sleep(Math.min(pauseMs, leftMs));
      pauseMs = Math.min(2 * pauseMs, POLL_MS_MAX);
    }
    return true;
  }

  private static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - START_NANOS);
  }

  private static RuntimeException unwrap(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known
        ? known
        : new EntroQException.Unavailable("request failed: " + cause, cause);
  }
}
