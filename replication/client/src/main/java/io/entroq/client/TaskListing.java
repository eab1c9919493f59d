package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.translation.WireTasks;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Listing;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lists tasks one by one. If the server fails or the client moves to another one, a new listing
 * continues without the tasks already delivered, as long as their number is limited. {@link
 * #forEach} is for one thread, the rest for any.
 */
final class TaskListing implements Dispatcher.OpenRequest {
  /** How many ids of delivered tasks are kept. */
  static final int KNOWN_MAX = 10_000;

  /** There is no retry with less time than this. */
  private static final long REMAINING_MS_MIN = 20;

  private final Dispatcher dispatcher;
  private final TasksRequest request;
  private final long timeoutMs;

  // Guarded by this.
  /** Ids of delivered tasks; null if there are too many. */
  private Set<String> delivered = new HashSet<>();

  /** The current listing; null before the first one and after a failure. */
  private Listing<TasksResponse> current;

  /** Completes when it is time to retry. */
  private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);

  private boolean isClosed;

  // Only used by the calling thread.
  private long count;

  /** Id of the last delivered task; empty before the first. */
  private String last = "";

  /**
   * @param request must name a queue or ids
   * @param timeoutMs how long the next message is waited for
   */
  TaskListing(Dispatcher dispatcher, TasksRequest request, long timeoutMs) {
    this.dispatcher = dispatcher;
    this.request = request;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Passes each task to a consumer.
   *
   * @throws EntroQException if the listing fails; some tasks may have been delivered
   */
  void forEach(Consumer<? super Task> consumer) {
    dispatcher.add(this);
    try {
      Optional<TasksResponse> next = next();
      while (next.isPresent()) {
        next.get().getTasksList().stream()
            .filter(task -> shouldDeliver(task.getId()))
            .forEach(task -> consumer.accept(WireTasks.of(task)));
        next = next();
      }
    } finally {
      dispatcher.remove(this);
      closeCurrent();
    }
  }

  private boolean shouldDeliver(String id) {
    // A new listing starts with the full limit, although tasks were delivered before.
    if ((request.getLimit() > 0 && count >= request.getLimit()) || !isNew(id)) {
      return false;
    }
    count++;
    last = id;
    return true;
  }

  private synchronized boolean isNew(String id) {
    if (delivered == null) {
      return true;
    }
    boolean isNew = delivered.add(id);
    if (delivered.size() > KNOWN_MAX) {
      delivered = null;
    }
    return isNew;
  }

  /** Waits for the next message from any server; empty at the end. */
  private Optional<TasksResponse> next() {
    long startNs = System.nanoTime();
    int failures = 0;
    while (true) {
      try {
        Optional<TasksResponse> next = current().next(remainingMs(startNs));
        dispatcher.noteResponse();
        return next;
      } catch (FailedException e) {
        closeCurrent();
        if (isComplete()) {
          return Optional.empty();
        }
        failures++;
        pauseOrThrow(e.failure(), failures, remainingMs(startNs));
      }
    }
  }

  private long remainingMs(long startNs) {
    long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    return Math.max(1, timeoutMs - passedMs);
  }

  /** The current listing; starts one if there is none. */
  private synchronized Listing<TasksResponse> current() {
    if (isClosed) {
      throw Dispatcher.closed();
    }
    if (current == null) {
      current = dispatcher.transport().list(remaining());
    }
    return current;
  }

  /** A request for all tasks that are not delivered, which may include delivered ones. */
  private TasksRequest remaining() {
    List<String> ids = request.getTaskIdList();
    return request.toBuilder()
        .clearTaskId()
        .addAllTaskId(ids.subList(ids.indexOf(last) + 1, ids.size()))
        .build();
  }

  /** Whether everything was delivered, and only the end of the listing was lost. */
  private boolean isComplete() {
    int ids = request.getTaskIdCount();
    return (request.getLimit() > 0 && count >= request.getLimit())
        || (ids > 0 && request.getTaskId(ids - 1).equals(last));
  }

  private void pauseOrThrow(Failure failure, int failures, long remainingMs) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    synchronized (this) {
      if (isClosed) {
        throw Dispatcher.closed();
      }
      boolean isTransient = failure.isTransient() || failure.isUnknown();
      if (!isTransient || delivered == null || remainingMs < REMAINING_MS_MIN) {
        throw FailureMapping.ofRead(isTransient ? withAdvice(failure) : failure);
      }
      pause = over;
    }
    dispatcher.schedule(
        Math.min(dispatcher.backoffMs(failures), remainingMs / 2), () -> over.complete(null));
    over.join();
  }

  private Failure withAdvice(Failure failure) {
    Failure reported = failure.with(dispatcher.transport().endpointText());
    return count == 0
        ? reported
        : reported.with(
            "%,d tasks were delivered. To get all of them, start the listing again"
                .formatted(count));
  }

  private synchronized void closeCurrent() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  /** Tasks that have arrived from the previous server are still delivered. */
  @Override
  public synchronized void failOver() {
    if (current != null && delivered != null) {
      current.cancel();
    }
  }

  @Override
  public synchronized void close(EntroQException.Closed reason) {
    isClosed = true;
    if (current != null) {
      current.cancel();
    }
    pause.complete(null);
  }
}
