package io.entroq.opentelemetry;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.spi.ObservedQueue;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.WorkerListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Spans and metrics of tasks: a trace goes from the producer through the task to the worker, and on
 * to the tasks that the worker inserts. The context travels in {@link Insert#trace()}, as a W3C
 * {@code traceparent}.
 *
 * <pre>{@code
 * TaskTelemetry telemetry = TaskTelemetry.of(openTelemetry);
 * EntroQ traced = telemetry.on(queue);
 * traced.modify(Modification.insert("inbox", "hello")).orThrow();
 * Worker.on(traced).from("inbox").addListener(telemetry).start(work -> Outcome.done());
 * }</pre>
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("try") // A scope is only closed.
public final class TaskTelemetry implements WorkerListener {
  private static final String SCOPE = "io.entroq";

  private final Tracer tracer;
  private final TaskMeters meters;

  private TaskTelemetry(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer(SCOPE);
    meters = new TaskMeters(openTelemetry.getMeter(SCOPE));
  }

  /** Telemetry that goes where an OpenTelemetry sends it. */
  public static TaskTelemetry of(OpenTelemetry openTelemetry) {
    return new TaskTelemetry(openTelemetry);
  }

  /**
   * The same queue, of which claims and modifications are measured if they go through what is
   * returned. A modification that inserts tasks has a span of kind PRODUCER, {@code send QUEUE},
   * and its inserts carry the context of that span, unless they have a trace already. A queue that
   * has this already is returned as it is.
   */
  public EntroQ on(EntroQ queue) {
    return queue.extension(TaskTelemetry.class).isPresent()
        ? queue
        : new ObservedQueue(new TracedQueue(queue, this), meters::requested);
  }

  Tracer tracer() {
    return tracer;
  }

  /**
   * Gives the current context to the inserts of a modification that have none. Without a current
   * span, or if the queue {@linkplain EntroQ#hasPolicies cannot keep it}, the modification stays as
   * it is.
   */
  Modification traced(EntroQ queue, Modification modification) {
    if (modification.inserts().isEmpty()
        || TraceText.of(Context.current()).isEmpty()
        || !queue.hasPolicies()) {
      return modification;
    }
    return modification.withInserts(modification.inserts().stream().map(this::traced).toList());
  }

  /**
   * Gives the current context to an insert that has none, for those who bring it to a queue some
   * other way, such as an outbox. Without a current span the insert stays as it is.
   */
  public Insert traced(Insert insert) {
    String trace = TraceText.of(Context.current());
    return trace.isEmpty() || !insert.trace().isEmpty() ? insert : insert.withTrace(trace);
  }

  /**
   * Runs a handler inside a span of kind CONSUMER, {@code process QUEUE}, whose parent is the span
   * that inserted the task. Inserts of its outcome carry the context of the span. A failure, or an
   * outcome that tells one, ends the span with an error.
   */
  @Override
  public Outcome around(WorkContext<?> work, Callable<Outcome> handler) throws Exception {
    long startNs = System.nanoTime();
    Span span = processing(work);
    String error = "";
    try (Scope ignored = span.makeCurrent()) {
      Outcome outcome = handler.call();
      if (work.isCancelled()) {
        cancelled(span);
        return outcome;
      }
      error = tell(span, outcome);
      return traced(work.queue(), outcome);
    } catch (Throwable t) {
      if (work.isCancelled()) {
        cancelled(span);
      } else {
        error = fail(span, t);
      }
      throw t;
    } finally {
      span.end();
      meters.processed(work.claimedFrom(), error, System.nanoTime() - startNs);
    }
  }

  private Span processing(WorkContext<?> work) {
    Task task = work.task();
    return tracer
        .spanBuilder(TaskAttributes.spanName(TaskAttributes.PROCESS, work.claimedFrom()))
        .setParent(TraceText.context(task.trace()))
        .setSpanKind(SpanKind.CONSUMER)
        .setAllAttributes(TaskAttributes.of(TaskAttributes.PROCESS, task.queue()))
        .setAttribute(TaskAttributes.TYPE, TaskAttributes.PROCESS)
        .setAttribute(TaskAttributes.MESSAGE, task.id().toString())
        .setAttribute(TaskAttributes.ATTEMPT, (long) task.attempt())
        .startSpan();
  }

  /** The worker ignores what comes of it, and others do the work again. */
  private static void cancelled(Span span) {
    span.setAttribute(TaskAttributes.OUTCOME, "cancelled");
  }

  /**
   * Notes an outcome.
   *
   * @return what went wrong; empty if nothing did
   */
  private static String tell(Span span, Outcome outcome) {
    span.setAttribute(TaskAttributes.OUTCOME, outcome.kind());
    Optional<String> failure = outcome.failure();
    if (failure.isEmpty()) {
      return "";
    }
    span.setStatus(StatusCode.ERROR, failure.get());
    span.setAttribute(TaskAttributes.ERROR, outcome.kind());
    return outcome.kind();
  }

  /**
   * Ends no span.
   *
   * @return {@code error.type}
   */
  static String fail(Span span, Throwable failure) {
    span.recordException(failure);
    return fail(span, failure.getClass().getName());
  }

  static String fail(Span span, String error) {
    span.setStatus(StatusCode.ERROR, error);
    span.setAttribute(TaskAttributes.ERROR, error);
    return error;
  }

  private Outcome traced(EntroQ queue, Outcome outcome) {
    if (outcome instanceof Outcome.Done done) {
      return Outcome.done(traced(queue, done.rest()));
    }
    if (outcome instanceof Outcome.Modify modify) {
      return Outcome.modify(traced(queue, modify.modification()));
    }
    return outcome;
  }
}
