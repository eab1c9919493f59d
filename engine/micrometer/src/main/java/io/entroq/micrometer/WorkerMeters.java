package io.entroq.micrometer;

import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.WorkerListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Counts and times what workers do.
 *
 * <pre>{@code
 * Worker.on(queue)
 *     .from("inbox")
 *     .addListener(WorkerMeters.of(registry, "inbox"))
 *     .start(work -> Outcome.done());
 * }</pre>
 *
 * <p>The time of handlers has the name and tags of OpenTelemetry's conventions for messaging; all
 * meters are on the page of this module. Workers of one name are counted together. Thread-safe.
 */
public final class WorkerMeters implements WorkerListener {
  private static final Logger LOG = System.getLogger(WorkerMeters.class.getName());

  static final String DESTINATION = "messaging.destination.name";
  static final String ERROR = "error.type";
  static final String NO_ERROR = "none";

  private static final String LOST = "lost";
  private static final String UNKNOWN = "unknown";

  private final MeterRegistry registry;
  private final Tags worker;
  private final LongTaskTimer active;
  private final Counter failures;
  private final Counter requestFailures;

  private WorkerMeters(MeterRegistry registry, String name) {
    this.registry = registry;
    worker = Tags.of("entroq.worker", name);
    active =
        LongTaskTimer.builder("entroq.worker.active")
            .description("Tasks that handlers work on now, and for how long they have.")
            .tags(worker)
            .register(registry);
    failures =
        Counter.builder("entroq.worker.failures")
            .description("Handlers that threw, and values that could not be decoded.")
            .tags(worker)
            .register(registry);
    requestFailures =
        Counter.builder("entroq.worker.request.failures")
            .description("Requests to the queue that failed and were tried again.")
            .tags(worker)
            .register(registry);
    // A rate of what has never happened is zero, and not absent.
    Stream.of("done", "retry", "quarantine", LOST, UNKNOWN).forEach(this::tasks);
  }

  /**
   * Meters of a worker.
   *
   * @param name of the worker; one of few, as each has meters of its own
   */
  public static WorkerMeters of(MeterRegistry registry, String name) {
    return new WorkerMeters(
        Objects.requireNonNull(registry, "registry"), Objects.requireNonNull(name, "name"));
  }

  /** Times a handler. Work that was cancelled has no error: others do it again. */
  @Override
  public Outcome around(WorkContext<?> work, Callable<Outcome> handler) throws Exception {
    LongTaskTimer.Sample running = active.start();
    Timer.Sample sample = Timer.start(registry);
    String error = NO_ERROR;
    try {
      Outcome outcome = handler.call();
      error = outcome.failure().isPresent() ? outcome.kind() : NO_ERROR;
      return outcome;
    } catch (Throwable e) {
      error = e.getClass().getName();
      throw e;
    } finally {
      stop(running, sample, work.claimedFrom(), work.isCancelled() ? NO_ERROR : error);
    }
  }

  /** What a registry refuses must not replace what came of the handler. */
  private void stop(LongTaskTimer.Sample running, Timer.Sample sample, String queue, String error) {
    try {
      running.stop();
      sample.stop(timer(queue, error));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "the time of a handler is not recorded", e);
    }
  }

  private Timer timer(String queue, String error) {
    return Timer.builder("messaging.process.duration")
        .description("How long handlers ran.")
        .tag("messaging.system", "entroq")
        .tag("messaging.operation.name", "process")
        .tag(DESTINATION, queue)
        .tag(ERROR, error)
        .tags(worker)
        .register(registry);
  }

  private Counter tasks(String outcome) {
    return Counter.builder("entroq.worker.tasks")
        .description("Tasks that workers have handled, by what became of them.")
        .tag("outcome", outcome)
        .tags(worker)
        .register(registry);
  }

  @Override
  public void onCommitted(Task task, Outcome outcome) {
    tasks(outcome.kind()).increment();
  }

  @Override
  public void onHandlerFailed(Task task, Throwable failure) {
    failures.increment();
  }

  @Override
  public void onLeaseLost(Task task, String reason) {
    tasks(LOST).increment();
  }

  @Override
  public void onOutcomeUnknown(Task task, Outcome outcome) {
    tasks(UNKNOWN).increment();
  }

  @Override
  public void onQueueFailed(Throwable failure, Duration pause) {
    requestFailures.increment();
  }
}
