package io.entroq.tools.terminal;

import io.entroq.engine.JvmFlags;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import org.jline.utils.Signals;

/**
 * Handles Ctrl-C and termination requests: delays the end of the process until its work has ended
 * cleanly. Thread-safe.
 */
public final class Interruption implements AutoCloseable {
  /** Exit status of a process ended by Ctrl-C: 128 plus the signal. */
  public static final int STATUS = 128 + 2;

  /** How long work may take to end, unless it needs more. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final List<String> SIGNALS = List.of("INT", "TERM");

  private final String what;
  private final Duration retry;
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::delayExit, "interruption");
  private final CompletableFuture<Void> request;
  private volatile Runnable onSecondSignal = () -> {};

  /**
   * Starts to listen.
   *
   * @param what name of the work, for the message if it does not end within 30 seconds
   */
  public Interruption(String what) {
    this(what, PATIENCE);
  }

  /**
   * Starts to listen, for work that may take longer to end.
   *
   * @param retry how long it may take
   */
  public Interruption(String what, Duration retry) {
    this(what, retry, new CompletableFuture<>());
  }

  /** Also interrupted by completing the future. */
  Interruption(String what, CompletableFuture<Void> request) {
    this(what, PATIENCE, request);
  }

  private Interruption(String what, Duration retry, CompletableFuture<Void> request) {
    this.what = what;
    this.retry = retry;
    this.request = request;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process has just begun to end.
      request();
    }
  }

  /**
   * Starts to listen, for work that uses a log in this process. Loads Chronicle first, because it
   * starts a thread and registers a hook when it is loaded: during shutdown that fails with a stack
   * trace.
   */
  public static Interruption ofEngine(String what) {
    return ofEngine(what, PATIENCE);
  }

  /**
   * As {@link #ofEngine(String)}, for work that may take longer to end.
   *
   * @param retry how long it may take
   */
  public static Interruption ofEngine(String what, Duration retry) {
    loadLog();
    return new Interruption(what, retry);
  }

  private static void loadLog() {
    try {
      JvmFlags.require();
      MethodHandles.lookup().ensureInitialized(BackgroundResourceReleaser.class);
    } catch (IllegalStateException | IllegalAccessException e) {
      // The log cannot be used; opening one reports why.
    }
  }

  /**
   * Whether the process is already ending. Another exit could overtake that and replace the status.
   */
  public static boolean isProcessEnding() {
    try {
      // The hook does not exist; the call throws only during shutdown.
      Runtime.getRuntime().removeShutdownHook(new Thread(() -> {}));
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Requests the interruption from within the process. */
  public void request() {
    request.complete(null);
  }

  /**
   * Sets the action for a second signal.
   *
   * @param action ends the work at once; runs on a separate thread
   */
  public void onSecondSignal(Runnable action) {
    onSecondSignal = action;
  }

  /** Whether the process should end. */
  public boolean isRequested() {
    return request.isDone();
  }

  /** Waits; returns early if the process should end or the thread is interrupted. */
  public void pause(Duration time) {
    try {
      request.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // The time has passed.
    } catch (ExecutionException e) {
      throw new IllegalStateException("the request never fails", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      request();
    }
  }

  /**
   * Waits for a result, and cancels it if the process should end.
   *
   * @return empty if it was cancelled
   * @throws RuntimeException the result's failure
   */
  public <T> Optional<T> await(CompletableFuture<T> result) {
    // Depends on both futures, so that it is released when the result arrives.
    CompletableFuture<Void> unused =
        CompletableFuture.anyOf(request, result).thenRun(() -> result.cancel(false));
    try {
      return Optional.of(result.join());
    } catch (CancellationException e) {
      return Optional.empty();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Ends the delay: the work is done, and a requested end of the process proceeds. */
  @Override
  public void close() {
    done.countDown();
    if (!isRequested()) {
      removeHook();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process has just begun to end; the hook will find that the work is done.
      request();
    }
  }

  private void delayExit() {
    for (String signal : SIGNALS) {
      // The JVM's own handlers are inactive from now on. Handle a second signal.
      Signals.register(signal, () -> onSecondSignal.run());
    }
    request();
    try {
      boolean ended = done.await(retry.toMillis(), TimeUnit.MILLISECONDS);
      if (!ended) {
        System.err.printf("The %s did not end in time; its log is intact.%n", what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
