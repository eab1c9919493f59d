package io.entroq.api.spi;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.Policies;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What {@link EntroQ#withTimeout} returns where a queue does not count the time itself: each call
 * is left to the queue, and answered at its deadline if the queue has not done so. Thread-safe.
 */
public final class TimeLimitedQueue extends ForwardingQueue {
  /** Nobody waits longer. */
  private static final long MS_MAX = TimeUnit.DAYS.toMillis(3_650);

  private final long timeoutMs;

  /**
   * @param timeout at least 1 ms
   * @throws EntroQException.InvalidArgument if it is less
   */
  public TimeLimitedQueue(EntroQ queue, Duration timeout) {
    super(queue);
    timeoutMs = toMs(timeout);
  }

  /**
   * A timeout in whole milliseconds, at most ten years.
   *
   * @throws EntroQException.InvalidArgument if it is less than 1 ms
   */
  public static long toMs(Duration timeout) {
    long ms = Times.toMs(timeout);
    if (ms < 1) {
      throw new EntroQException.InvalidArgument("timeout must be at least 1 ms, is " + timeout);
    }
    return Math.min(ms, MS_MAX);
  }

  /** A read that is late has no effect, so it is as if the queue were away. */
  private <T> CompletableFuture<T> read(Supplier<CompletableFuture<T>> call) {
    return limit(
        call,
        false,
        limited -> limited.completeExceptionally(new EntroQException.Unavailable(noAnswer())),
        late -> {});
  }

  private String noAnswer() {
    return "the queue has not answered" + within();
  }

  private String within() {
    return " within %,d ms".formatted(timeoutMs);
  }

  /**
   * @param isCancelled whether the end of what is returned cancels the call. Only a claim that
   *     waits ends by that; the answer of any other would be lost
   * @param atDeadline completes a call that has no answer
   * @param onLate takes an answer that comes after that
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained completes what is returned.
  private <T> CompletableFuture<T> limit(
      Supplier<CompletableFuture<T>> call,
      boolean isCancelled,
      Consumer<CompletableFuture<T>> atDeadline,
      Consumer<T> onLate) {
    // A queue may take a while to accept a call.
    long startNs = System.nanoTime();
    CompletableFuture<T> answer = call.get();
    if (answer.isDone()) {
      return answer;
    }
    CompletableFuture<T> limited = new CompletableFuture<>();
    CompletableFuture<Void> deadline = new CompletableFuture<>();
    if (isCancelled) {
      // Does nothing if there is an answer.
      limited.whenComplete((value, failure) -> answer.cancel(false));
    }
    limited.whenComplete((value, failure) -> deadline.cancel(false));
    answer.whenComplete(
        (value, failure) -> {
          if (failure != null) {
            limited.completeExceptionally(failure);
          } else if (!limited.complete(value)) {
            onLate.accept(value);
          }
        });
    // Whoever waits may take long, and the thread of deadlines is that of all deadlines.
    deadline.thenRunAsync(() -> atDeadline.accept(limited));
    long leftNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs) - (System.nanoTime() - startNs);
    deadline.completeOnTimeout(null, Math.max(0, leftNs), TimeUnit.NANOSECONDS);
    return limited;
  }

  /** Nobody works on the tasks of a claim that has ended. */
  @SuppressWarnings("FutureReturnValueIgnored") // Otherwise their lease ends.
  private void release(List<Task> tasks) {
    if (!tasks.isEmpty()) {
      queue().modifyAsync(Modification.release(tasks));
    }
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return queue().withTimeout(timeout);
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return claim.maxWait().isZero()
        ? tryClaimAsync(claim)
        : limit(
            () -> queue().claimAsync(claim),
            true,
            limited ->
                limited.completeExceptionally(
                    new EntroQException.TimedOut("no task in " + claim.queues() + within())),
            this::release);
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return limit(
        () -> queue().tryClaimAsync(claim),
        false,
        limited -> limited.completeExceptionally(new EntroQException.OutcomeUnknown(noAnswer())),
        this::release);
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return limit(
        () -> queue().modifyAsync(modification),
        false,
        limited -> limited.complete(new ModifyResult.OutcomeUnknown(noAnswer())),
        late -> {});
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return read(() -> queue().tasksAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return read(() -> queue().queuesAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return read(() -> queue().queueStatsAsync(query));
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return limit(
        () -> queue().claimDocsAsync(claim),
        false,
        limited -> limited.completeExceptionally(new EntroQException.OutcomeUnknown(noAnswer())),
        late -> {});
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return read(() -> queue().docsAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return read(() -> queue().namespacesAsync(query));
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return read(queue()::timeAsync);
  }

  @Override
  public CompletableFuture<List<Policies.Entry>> policyEntriesAsync(Policies.Query query) {
    return read(() -> queue().policyEntriesAsync(query));
  }

  @Override
  public CompletableFuture<Optional<Task.Position>> positionAsync(TaskId task) {
    return read(() -> queue().positionAsync(task));
  }
}
