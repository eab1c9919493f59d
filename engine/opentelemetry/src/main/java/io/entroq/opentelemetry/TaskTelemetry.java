package io.entroq.opentelemetry;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.WorkContext;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.List;

/**
 * Spans and metrics of tasks: a trace goes from the producer through the task to the worker, and on
 * to the tasks that the worker inserts. The context travels in {@link Insert#trace()}, as a W3C
 * {@code traceparent}.
 *
 * <pre>{@code
 * TaskTelemetry telemetry = TaskTelemetry.of(openTelemetry);
 * telemetry.modify(queue, Modification.insert("inbox", "hello")).orThrow();
 * Worker.on(queue).from("inbox").start(telemetry.handler(work -> Outcome.done()));
 * }</pre>
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("try") // A scope is only closed.
public final class TaskTelemetry {
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
   * Executes a modification inside a span of kind PRODUCER, {@code send QUEUE}. Its inserts carry
   * the context of that span.
   *
   * @return the result, as from {@link EntroQ#modify}
   */
  public ModifyResult modify(EntroQ queue, Modification modification) {
    List<String> queues = modification.inserts().stream().map(Insert::queue).distinct().toList();
    String destination = queues.size() == 1 ? queues.get(0) : "";
    Span span =
        tracer
            .spanBuilder(TaskAttributes.spanName(TaskAttributes.SEND, destination))
            .setSpanKind(SpanKind.PRODUCER)
            .setAllAttributes(TaskAttributes.of(TaskAttributes.SEND, destination))
            .setAttribute(TaskAttributes.COUNT, (long) modification.inserts().size())
            .startSpan();
    try (Scope ignored = span.makeCurrent()) {
      ModifyResult result = queue.modify(traced(queue, modification));
      if (result instanceof ModifyResult.Committed) {
        modification.inserts().forEach(insert -> meters.sent(insert.queue()));
      } else {
        fail(span, result.getClass().getSimpleName());
      }
      return result;
    } catch (Throwable t) {
      fail(span, t);
      throw t;
    } finally {
      span.end();
    }
  }

  /**
   * Gives the current context to the inserts of a modification that have none, for those who
   * execute it themselves. Without a current span, or if the queue {@linkplain EntroQ#hasPolicies
   * cannot keep it}, the modification stays as it is.
   */
  public Modification traced(EntroQ queue, Modification modification) {
    String trace = TraceText.of(Context.current());
    if (trace.isEmpty() || modification.inserts().isEmpty() || !queue.hasPolicies()) {
      return modification;
    }
    return modification.withInserts(
        modification.inserts().stream()
            .map(insert -> insert.trace().isEmpty() ? insert.withTrace(trace) : insert)
            .toList());
  }

  /**
   * A handler that runs another one inside a span of kind CONSUMER, {@code process QUEUE}, whose
   * parent is the span that inserted the task. Inserts of its outcome carry the context of the
   * span. A failure, or an outcome that tells one, ends the span with an error.
   */
  public <T> Handler<T> handler(Handler<T> handler) {
    return work -> {
      Task task = work.task();
      long startNs = System.nanoTime();
      Span span = processing(task);
      String error = "";
      try (Scope ignored = span.makeCurrent()) {
        Outcome outcome = outcome(handler, work);
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
        meters.processed(task.queue(), error, System.nanoTime() - startNs);
      }
    };
  }

  private Span processing(Task task) {
    Attributes attributes = TaskAttributes.of(TaskAttributes.PROCESS, task.queue());
    return tracer
        .spanBuilder(TaskAttributes.spanName(TaskAttributes.PROCESS, task.queue()))
        .setParent(TraceText.context(task.trace()))
        .setSpanKind(SpanKind.CONSUMER)
        .setAllAttributes(attributes)
        .setAttribute(TaskAttributes.MESSAGE, task.id().toString())
        .setAttribute(TaskAttributes.ATTEMPT, (long) task.attempt())
        .startSpan();
  }

  /** The worker ignores what comes of it, and others do the work again. */
  private static void cancelled(Span span) {
    span.setAttribute(TaskAttributes.OUTCOME, "cancelled");
  }

  private static <T> Outcome outcome(Handler<T> handler, WorkContext<T> work) throws Exception {
    try {
      return handler.handle(work);
    } catch (OutcomeException e) {
      return e.outcome();
    }
  }

  /**
   * Notes an outcome.
   *
   * @return what went wrong; empty if nothing did
   */
  private static String tell(Span span, Outcome outcome) {
    String name = TaskAttributes.name(outcome);
    span.setAttribute(TaskAttributes.OUTCOME, name);
    String reason = TaskAttributes.failure(outcome);
    if (reason.isEmpty()) {
      return "";
    }
    span.setStatus(StatusCode.ERROR, reason);
    span.setAttribute(TaskAttributes.ERROR, name);
    return name;
  }

  private static String fail(Span span, Throwable failure) {
    span.recordException(failure);
    return fail(span, failure.getClass().getName());
  }

  private static String fail(Span span, String error) {
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
