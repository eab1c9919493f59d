package io.entroq.opentelemetry;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.spi.ForwardingQueue;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Puts a span around each modification that inserts a task without a trace, such as one of a
 * producer. The commit of a worker inserts tasks that have the trace of its handler. Thread-safe.
 */
@SuppressWarnings("try") // A scope is only closed.
final class TracedQueue extends ForwardingQueue {
  private final TaskTelemetry telemetry;

  /** Whether the queue has said if it keeps traces, which may have needed a connection. */
  private volatile boolean hasAnswered;

  TracedQueue(EntroQ queue, TaskTelemetry telemetry) {
    super(queue);
    this.telemetry = telemetry;
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return type.isInstance(telemetry) ? Optional.of(type.cast(telemetry)) : super.extension(type);
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
    CompletableFuture<ModifyResult> answer;
    try {
      answer = send(span, modification);
    } catch (Throwable e) {
      TaskTelemetry.fail(span, e);
      span.end();
      throw e;
    }
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
  }

  /** To ask whether there are policies waits for a server, but not once one has answered. */
  private CompletableFuture<ModifyResult> send(Span span, Modification modification) {
    return hasAnswered
        ? sendNow(span, modification)
        : queue().timeAsync().thenCompose(time -> sendNow(span, modification));
  }

  private CompletableFuture<ModifyResult> sendNow(Span span, Modification modification) {
    try (Scope ignored = span.makeCurrent()) {
      Modification traced = telemetry.traced(queue(), modification);
      hasAnswered = true;
      return queue().modifyAsync(traced);
    }
  }

  /** Here and below: not by way of a future, which an embedded queue does not need. */
  @Override
  public List<Task> claimMany(Claim claim) throws InterruptedException {
    return queue().claimMany(claim);
  }

  @Override
  public List<Task> tryClaimMany(Claim claim) {
    return queue().tryClaimMany(claim);
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
