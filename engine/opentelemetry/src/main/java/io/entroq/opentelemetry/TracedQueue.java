package io.entroq.opentelemetry;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.spi.ForwardingQueue;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Puts a span around each modification that inserts a task without a trace, such as one of a
 * producer. The commit of a worker inserts tasks that have the trace of its handler. Thread-safe.
 */
@SuppressWarnings("try") // A scope is only closed.
final class TracedQueue extends ForwardingQueue {
  private final TaskTelemetry telemetry;

  TracedQueue(EntroQ queue, TaskTelemetry telemetry) {
    super(queue);
    this.telemetry = telemetry;
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new TracedQueue(queue().withTimeout(timeout), telemetry);
  }

  @Override
  public ModifyResult modify(Modification modification) {
    if (isTraced(modification)) {
      return queue().modify(modification);
    }
    Span span = sending(modification);
    try (Scope ignored = span.makeCurrent()) {
      ModifyResult result = queue().modify(telemetry.traced(queue(), modification));
      tell(span, result);
      return result;
    } catch (Throwable e) {
      TaskTelemetry.fail(span, e);
      throw e;
    } finally {
      span.end();
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained fails only with the request.
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    if (isTraced(modification)) {
      return queue().modifyAsync(modification);
    }
    Span span = sending(modification);
    try (Scope ignored = span.makeCurrent()) {
      CompletableFuture<ModifyResult> answer =
          queue().modifyAsync(telemetry.traced(queue(), modification));
      answer.whenComplete(
          (result, failure) -> {
            if (failure == null) {
              tell(span, result);
            } else {
              TaskTelemetry.fail(span, failure);
            }
            span.end();
          });
      return answer;
    } catch (Throwable e) {
      TaskTelemetry.fail(span, e);
      span.end();
      throw e;
    }
  }

  private static boolean isTraced(Modification modification) {
    return modification.inserts().stream().noneMatch(insert -> insert.trace().isEmpty());
  }

  private Span sending(Modification modification) {
    List<String> queues =
        modification.inserts().stream().map(Insert::destination).distinct().toList();
    String destination = queues.size() == 1 ? queues.get(0) : "";
    return telemetry
        .tracer()
        .spanBuilder(TaskAttributes.spanName(TaskAttributes.SEND, destination))
        .setSpanKind(SpanKind.PRODUCER)
        .setAllAttributes(TaskAttributes.of(TaskAttributes.SEND, destination))
        .setAttribute(TaskAttributes.TYPE, TaskAttributes.SEND)
        .setAttribute(TaskAttributes.COUNT, (long) modification.inserts().size())
        .startSpan();
  }

  private static void tell(Span span, ModifyResult result) {
    if (!result.isCommitted()) {
      TaskTelemetry.fail(span, result.getClass().getSimpleName());
    }
  }
}
