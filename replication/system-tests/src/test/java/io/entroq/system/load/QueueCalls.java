package io.entroq.system.load;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The calls of a {@link Caller}. Futures fail with an {@link io.entroq.api.EntroQException}. */
public interface QueueCalls extends AutoCloseable {
  /** Claims that do not wait if their longest wait is zero. */
  CompletableFuture<List<Task>> claim(Claim claim);

  CompletableFuture<ModifyResult> modify(Modification modification);

  CompletableFuture<List<Task>> tasks(TaskQuery query);

  @Override
  void close();

  /** The calls of this product's client, which is closed with them. */
  static QueueCalls of(EntroQ queue) {
    return new QueueCalls() {
      @Override
      public CompletableFuture<List<Task>> claim(Claim claim) {
        return claim.maxWait().isZero() ? queue.tryClaimAsync(claim) : queue.claimAsync(claim);
      }

      @Override
      public CompletableFuture<ModifyResult> modify(Modification modification) {
        return queue.modifyAsync(modification);
      }

      @Override
      public CompletableFuture<List<Task>> tasks(TaskQuery query) {
        return queue.tasksAsync(query);
      }

      @Override
      public void close() {
        queue.close();
      }
    };
  }
}
