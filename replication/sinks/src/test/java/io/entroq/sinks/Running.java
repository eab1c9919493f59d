package io.entroq.sinks;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A runner on a thread of its own. */
final class Running implements AutoCloseable {
  private static final int PATIENCE_S = 60;

  /** Failures in these tests are intended, so their warnings are noise. */
  private static final Logger LOG = Logger.getLogger(SinkRunner.class.getName());

  private final SinkRunner runner;
  private final CompletableFuture<Void> end;

  Running(SinkRunner runner) {
    this.runner = runner;
    LOG.setLevel(Level.OFF);
    end =
        CompletableFuture.runAsync(
            () -> {
              try {
                runner.run();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> {
              Thread thread = new Thread(task, "sink");
              thread.setDaemon(true);
              thread.start();
            });
  }

  SinkRunner runner() {
    return runner;
  }

  boolean isOver() {
    return end.isDone();
  }

  /** Waits until it has copied all that a queue tells now; for a query without filters. */
  void awaitAll(EmbeddedEntroQ queue) {
    long last = queue.feed().kept().lastSequence();
    until(
        "all is copied",
        Duration.ofMinutes(5),
        () ->
            isOver()
                || runner.progress().position().map(at -> at.sequence() >= last).orElse(false));
  }

  /** Waits until it gives up, and returns why. */
  SinkException failure() {
    try {
      end.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
      throw new AssertionError("it ended without a failure");
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(SinkException.class);
      return (SinkException) e.getCause();
    }
  }

  /** Stops it, and fails if it has failed. */
  @Override
  public void close() {
    runner.stop();
    assertThat(end).succeedsWithin(Duration.ofSeconds(PATIENCE_S));
  }
}
