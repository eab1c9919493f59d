package io.entroq.server.cli.work;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Worker;
import io.entroq.server.settings.DurationConverter;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** A worker that works on one task after the other, or on several at once. */
abstract class HandlerCommand extends WorkerCommand {
  private static final Duration RETRY_DELAY_MAX = Duration.ofHours(1);
  private static final int FAILURES_MAX = 20;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "How many tasks to work on at once. Default: 1.")
  private int concurrency = 1;

  @Option(
      names = "--retry-delay",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Delay before the first retry of a failed task; it doubles each time, up to an hour. A"
              + " policy of the queue goes before it. Default: 30.")
  private Duration retryDelay = Backoff.forTasks().initial();

  private Handler<Value> handler;

  /**
   * The handler.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if an option is wrong
   * @throws IOException if something cannot be opened
   */
  abstract Handler<Value> open() throws IOException;

  /** How often the handler asks for retries. */
  int retries() {
    return 0;
  }

  @Override
  final void prepare() throws IOException {
    handler = open();
  }

  @Override
  final Running start(EntroQ queue) {
    Duration longest = retryDelay.compareTo(RETRY_DELAY_MAX) > 0 ? retryDelay : RETRY_DELAY_MAX;
    Worker worker =
        Worker.on(queue)
            .from(queues())
            .lease(lease())
            .concurrency(concurrency)
            .maxAttempts(Math.max(FAILURES_MAX, retries() + 1))
            .retryBackoff(new Backoff(retryDelay, longest, Backoff.forTasks().jitter()))
            .start(handler);
    return new Running() {
      @Override
      public boolean isRunning() {
        return worker.isRunning();
      }

      @Override
      public void close() {
        worker.close();
      }
    };
  }

  @Override
  final void release() throws IOException {
    if (handler instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }
}
