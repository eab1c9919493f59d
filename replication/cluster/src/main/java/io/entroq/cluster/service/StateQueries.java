package io.entroq.cluster.service;

import io.entroq.api.EntroQException;
import io.entroq.engine.state.StateMachine;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Queries of the state, submitted on any thread and run on the applying thread. */
final class StateQueries {
  private static final int PENDING_MAX = 1_024;

  private final BlockingQueue<Query<?>> pending = new ArrayBlockingQueue<>(PENDING_MAX);
  private volatile boolean isEnded;

  <T> CompletableFuture<T> submit(Function<StateMachine, T> function) {
    Query<T> query = new Query<>(function, new CompletableFuture<>());
    if (!pending.offer(query)) {
      query.result.completeExceptionally(
          new EntroQException.ResourceExhausted(
              "%,d queries of this member's state are pending, the maximum"
                  .formatted(PENDING_MAX)));
    } else if (isEnded) {
      // end() may have run before this query was added.
      end();
    }
    return query.result;
  }

  /** Runs all pending queries, and returns their number. Applying thread. */
  int run(StateMachine machine) {
    int done = 0;
    for (Query<?> query = pending.poll(); query != null; query = pending.poll()) {
      query.run(machine);
      done++;
    }
    return done;
  }

  /** Fails pending and later queries. Any thread, any number of times. */
  void end() {
    isEnded = true;
    for (Query<?> query = pending.poll(); query != null; query = pending.poll()) {
      query.result.completeExceptionally(new IllegalStateException("the member has ended"));
    }
  }

  private record Query<T>(Function<StateMachine, T> function, CompletableFuture<T> result) {
    void run(StateMachine machine) {
      try {
        result.complete(function.apply(machine));
      } catch (RuntimeException | Error e) {
        result.completeExceptionally(e);
      }
    }
  }
}
