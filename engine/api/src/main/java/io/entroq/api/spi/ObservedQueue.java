package io.entroq.api.spi;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Tells an observer of each claim and each modification, for metrics and the like. Reads and claims
 * of docs are passed on unobserved. As thread-safe as the queue and the observer.
 */
public final class ObservedQueue extends ForwardingQueue {
  private static final Logger LOG = System.getLogger(ObservedQueue.class.getName());

  private final Observer observer;

  /** Hears of requests. */
  public interface Observer {
    /**
     * A request has ended. Runs on the thread that made it or on the one that has its answer, and
     * must be quick. What it throws is logged, and changes nothing.
     */
    void onRequest(Request request);
  }

  /** What a request does, in the words of the API. */
  public enum Operation {
    /** A claim that waits for tasks; its time has the wait in it. */
    CLAIM("claim"),
    /** A claim that does not wait. */
    TRY_CLAIM("tryClaim"),
    /** A modification that inserts tasks, whatever else it does. */
    SEND("send"),
    /** Any other modification, such as the commit of a worker. */
    MODIFY("modify");

    private final String word;

    Operation(String word) {
      this.word = word;
    }

    /** For use in telemetry. */
    public String word() {
      return word;
    }
  }

  /**
   * A request that has ended.
   *
   * @param destination the queue that it claims from or inserts into, by {@link
   *     Insert#destination}; empty if there are several or none
   * @param sent the destination of each task that was inserted
   * @param error what went wrong: the class of the exception, or the kind of result, such as {@code
   *     DependencyFailure}. Empty for nothing, as for a request whose caller did not wait for it
   * @param tookNs from its begin to its end, in nanoseconds
   */
  public record Request(
      Operation operation, String destination, List<String> sent, String error, long tookNs) {}

  /**
   * @param queue executes the requests
   */
  public ObservedQueue(EntroQ queue, Observer observer) {
    super(queue);
    this.observer = Objects.requireNonNull(observer, "observer");
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new ObservedQueue(queue().withTimeout(timeout), observer);
  }

  /** The observer is one as well. */
  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return type.isInstance(observer) ? Optional.of(type.cast(observer)) : super.extension(type);
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return observe(claiming(Operation.CLAIM, claim), () -> queue().claimAsync(claim));
  }

  /** Observed before the caller goes on, as all methods that wait for their answer. */
  @Override
  public List<Task> claimMany(Claim claim) throws InterruptedException {
    Running running = claiming(Operation.CLAIM, claim);
    List<Task> tasks;
    try {
      tasks = queue().claimMany(claim);
    } catch (Throwable e) {
      running.fail(e);
      throw e;
    }
    running.end(tasks);
    return tasks;
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return observe(claiming(Operation.TRY_CLAIM, claim), () -> queue().tryClaimAsync(claim));
  }

  @Override
  public List<Task> tryClaimMany(Claim claim) {
    return observeNow(claiming(Operation.TRY_CLAIM, claim), () -> queue().tryClaimMany(claim));
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return observe(modifying(modification), () -> queue().modifyAsync(modification));
  }

  @Override
  public ModifyResult modify(Modification modification) {
    return observeNow(modifying(modification), () -> queue().modify(modification));
  }

  private Running claiming(Operation operation, Claim claim) {
    return new Running(operation, claim.queues(), List.of());
  }

  private Running modifying(Modification modification) {
    List<String> sent = modification.inserts().stream().map(Insert::destination).toList();
    return new Running(sent.isEmpty() ? Operation.MODIFY : Operation.SEND, sent, sent);
  }

  private static <T> T observeNow(Running running, Supplier<T> request) {
    T result;
    try {
      result = request.get();
    } catch (Throwable e) {
      running.fail(e);
      throw e;
    }
    running.end(result);
    return result;
  }

  /** Returns the future of the queue itself, as to cancel another one would end no claim. */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained fails only with the request.
  private static <T> CompletableFuture<T> observe(
      Running running, Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> answer;
    try {
      answer = request.get();
    } catch (Throwable e) {
      running.fail(e);
      throw e;
    }
    answer.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            running.end(result);
          } else {
            running.fail(failure);
          }
        });
    return answer;
  }

  /** A request that has no answer yet. */
  private final class Running {
    private final long startNs = System.nanoTime();
    private final Operation operation;
    private final String destination;
    private final List<String> sent;

    Running(Operation operation, List<String> queues, List<String> sent) {
      this.operation = operation;
      this.sent = sent;
      destination = queues.stream().distinct().count() == 1 ? queues.get(0) : "";
    }

    /**
     * @param result tasks or the result of a modification
     */
    void end(Object result) {
      if (result instanceof ModifyResult modified && !modified.isCommitted()) {
        tell(List.of(), result.getClass().getSimpleName());
      } else {
        tell(sent, "");
      }
    }

    void fail(Throwable failure) {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      boolean isGivenUp =
          cause instanceof CancellationException || cause instanceof InterruptedException;
      tell(List.of(), isGivenUp ? "" : cause.getClass().getName());
    }

    private void tell(List<String> inserted, String error) {
      long tookNs = System.nanoTime() - startNs;
      try {
        observer.onRequest(new Request(operation, destination, inserted, error, tookNs));
      } catch (Throwable e) {
        // Such as a class that is missing: the request has ended as it has.
        LOG.log(Level.WARNING, "a request is not observed", e);
      }
    }
  }
}
