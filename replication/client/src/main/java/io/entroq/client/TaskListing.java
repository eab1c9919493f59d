package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.api.Task;
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
 * Shows tasks one by one. When the server that lists them goes, or another one is asked from then
 * on, another listing takes its place, of which is shown what has not been shown yet; this can be
 * told as long as there are not too many. {@link #showTo} is for one thread, the rest for any.
 */
final class TaskListing implements Dispatcher.Open {
  /** Of so many tasks that were shown the ids are kept. */
  static final int KNOWN_MAX = 10_000;

  /** In less time than this there is no answer to be had. */
  private static final long REMAINING_MS_MIN = 20;

  private final Dispatcher dispatcher;
  private final TasksRequest request;

  // Under the lock.

  /** The ids of all that was shown; null: there are too many. */
  private Set<String> shown = new HashSet<>();

  /** What is taken from; null: none has begun, or the last one has failed. */
  private Listing<TasksResponse> present;

  /** Completes when it is time to begin another one. */
  private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);

  private boolean isClosed;

  // Of the thread that shows.
  private long count;

  /** The id of what was shown last; empty: nothing yet. */
  private String last = "";

  /**
   * @param request asks for something
   */
  TaskListing(Dispatcher dispatcher, TasksRequest request) {
    this.dispatcher = dispatcher;
    this.request = request;
  }

  /**
   * Hands each task to a consumer.
   *
   * @throws EntroQException if it comes to an early end; some may have been shown
   */
  void forEach(Consumer<? super Task> consumer) {
    dispatcher.add(this);
    try {
      Optional<TasksResponse> next = next();
      while (next.isPresent()) {
        next.get().getTasksList().stream()
            .filter(task -> shouldShow(task.getId()))
            .forEach(task -> consumer.accept(WireTasks.of(task)));
        next = next();
      }
    } finally {
      dispatcher.remove(this);
      drop();
    }
  }

  private boolean shouldShow(String id) {
    // One that takes another's place may list as many as both were to show.
    if ((request.getLimit() > 0 && count >= request.getLimit()) || !isNew(id)) {
      return false;
    }
    count++;
    last = id;
    return true;
  }

  private synchronized boolean isNew(String id) {
    if (shown == null) {
      return true;
    }
    boolean isNew = shown.add(id);
    if (shown.size() > KNOWN_MAX) {
      shown = null;
    }
    return isNew;
  }

  /** Waits for what comes next, from whichever server; empty: there is no more. */
  private Optional<TasksResponse> next() {
    long beginNs = System.nanoTime();
    int failures = 0;
    while (true) {
      try {
        Optional<TasksResponse> next = present().next(remainingMs(beginNs));
        dispatcher.noteResponse();
        return next;
      } catch (FailedException e) {
        drop();
        if (isComplete()) {
          return Optional.empty();
        }
        failures++;
        pauseOrThrow(e.failure(), failures, remainingMs(beginNs));
      }
    }
  }

  private long remainingMs(long beginNs) {
    long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    return Math.max(1, dispatcher.callTimeoutMs() - passedMs);
  }

  /** Begins one if there is none. */
  private synchronized Listing<TasksResponse> present() {
    if (isClosed) {
      throw Dispatcher.closed();
    }
    if (present == null) {
      present = dispatcher.transport().list(rest());
    }
    return present;
  }

  /** Asks for what has not been shown; and perhaps for some that has been. */
  private TasksRequest rest() {
    List<String> ids = request.getTaskIdList();
    return request.toBuilder()
        .clearTaskId()
        .addAllTaskId(ids.subList(ids.indexOf(last) + 1, ids.size()))
        .build();
  }

  /** Whether everything has been shown but for the word that this was all. */
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
      if (!isTransient || shown == null || remainingMs < REMAINING_MS_MIN) {
        throw FailureMapping.ofRead(isTransient ? withAdvice(failure) : failure);
      }
      pause = over;
    }
    dispatcher.later(
        Math.min(dispatcher.backoffMs(failures), remainingMs / 2), () -> over.complete(null));
    over.join();
  }

  private Failure withAdvice(Failure failure) {
    Failure reported = failure.with(dispatcher.transport().where());
    return count == 0
        ? reported
        : reported.with(
            "%,d tasks had been shown. List again to see the others; these are shown once more then"
                .formatted(count));
  }

  private synchronized void drop() {
    if (present != null) {
      present.close();
      present = null;
    }
  }

  /** What has come from the server before is shown yet. */
  @Override
  public synchronized void failOver() {
    if (present != null && shown != null) {
      present.cancel();
    }
  }

  @Override
  public synchronized void close(EntroQException.Closed reason) {
    isClosed = true;
    if (present != null) {
      present.cancel();
    }
    pause.complete(null);
  }
}
