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
 * Ctrl-C, or a request of the system to end: noted, and the end of the process put off until what
 * it does has come to a good one. Any thread.
 */
public final class Interruption implements AutoCloseable {
  /** What a shell says of a process that was ended by Ctrl-C: 128 and the signal. */
  public static final int STATUS = 128 + 2;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final List<String> SIGNALS = List.of("INT", "TERM");

  private final String what;
  private final Duration retry;
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::putOff, "interruption");
  private final CompletableFuture<Void> request;
  private volatile Runnable insistence = () -> {};

  /**
   * Begins to listen for it.
   *
   * @param what the process does, in a word: if it does not end within half a minute, that is said
   */
  public Interruption(String what) {
    this(what, PATIENCE);
  }

  /**
   * The same for what may take longer.
   *
   * @param retry how long it may take to end
   */
  public Interruption(String what, Duration retry) {
    this(what, retry, new CompletableFuture<>());
  }

  /** The same; completing the future is what asks for it. */
  Interruption(String what, CompletableFuture<Void> request) {
    this(what, PATIENCE, request);
  }

  private Interruption(String what, Duration retry, CompletableFuture<Void> request) {
    this.what = what;
    this.retry = retry;
    this.request = request;
    loadLog();
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process has begun to end just now.
      request();
    }
  }

  /**
   * The library below the log starts a thread when it is loaded and registers a hook. While the
   * process ends that fails, with a stack trace of that thread, so it has to come first.
   */
  private static void loadLog() {
    try {
      JvmFlags.require();
      MethodHandles.lookup().ensureInitialized(BackgroundResourceReleaser.class);
    } catch (IllegalStateException | IllegalAccessException e) {
      // Then there will be no log, and whoever opens one is told why.
    }
  }

  /**
   * Whether a signal, or somebody else, is ending this process already. An exit that follows could
   * be quicker than that, and change the status to its own.
   */
  public static boolean isProcessEnding() {
    try {
      // There is no such hook; only while the process ends is it wrong to ask.
      Runtime.getRuntime().removeShutdownHook(new Thread(() -> {}));
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Asks for it from within the process. */
  public void request() {
    request.complete(null);
  }

  /**
   * Says what to do if a second signal comes, from somebody who does not want to wait.
   *
   * @param hurry makes what the process does end at once; runs on a thread of its own
   */
  public void whenInsisted(Runnable hurry) {
    insistence = hurry;
  }

  /** Whether the process is to end. */
  public boolean isRequested() {
    return request.isDone();
  }

  /** Lets time pass, less if the process is to end, or if the thread is interrupted. */
  public void pause(Duration time) {
    try {
      request.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // The time has passed.
    } catch (ExecutionException e) {
      throw new IllegalStateException("nobody lets it fail", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      request();
    }
  }

  /**
   * Waits for a result, which is cancelled when the process is to end.
   *
   * @return empty if it was cancelled
   * @throws RuntimeException that it failed with
   */
  public <T> Optional<T> await(CompletableFuture<T> result) {
    // Depends on both, as only such a dependent goes when the result comes and the request does
    // not.
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

  /** All is done. Where the process was about to end, it does so now. */
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
      // The process has begun to end just now; the hook finds that there is nothing to wait for.
      request();
    }
  }

  private void putOff() {
    for (String signal : SIGNALS) {
      // Until now the JVM has heard them; from now on it would not any more. Whoever sees that the
      // process is about to end may insist on it at once.
      Signals.register(signal, () -> insistence.run());
    }
    request();
    try {
      boolean ended = done.await(retry.toMillis(), TimeUnit.MILLISECONDS);
      if (!ended) {
        System.err.printf("The %s did not end in time; its log is sound all the same.%n", what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
