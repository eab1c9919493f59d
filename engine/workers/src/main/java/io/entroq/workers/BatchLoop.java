package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Claims, collects and commits batches on its own thread until it is stopped. */
final class BatchLoop implements Runnable {
  private static final System.Logger LOGGER = System.getLogger(BatchWorker.class.getName());

  private final EntroQ queue;
  private final Rules rules;
  private final Ticker ticker;
  private final Backoff backoff = Backoff.forRequests();
  private final AtomicLong batchedTasks = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopped = lock.newCondition();

  /** Claimed already, but too large for the batch before. In the order of their claims. */
  private final Deque<Item> waiting = new ArrayDeque<>();

  private boolean isStopping;

  /** Null if none is waiting. */
  private CompletableFuture<List<Task>> claim;

  /** What ends a batch; see {@link BatchWorker.Builder}. */
  record Rules(
      Claim claim, String outbox, int maxSize, int maxBytes, Duration maxWait, Duration grace) {}

  /**
   * A claimed task.
   *
   * @param claimedNanos when its claim was answered
   */
  private record Item(Task task, JsonNode value, int bytes, long claimedNanos) {}

  BatchLoop(EntroQ queue, Rules rules, Ticker ticker) {
    this.queue = queue;
    this.rules = rules;
    this.ticker = ticker;
  }

  long batchedTasks() {
    return batchedTasks.get();
  }

  boolean isStopping() {
    lock.lock();
    try {
      return isStopping;
    } finally {
      lock.unlock();
    }
  }

  void stop() {
    lock.lock();
    try {
      isStopping = true;
      stopped.signalAll();
      if (claim != null) {
        claim.cancel(false);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void run() {
    int failures = 0;
    while (!isStopping() || !waiting.isEmpty()) {
      try {
        List<Item> batch = collect();
        if (!batch.isEmpty()) {
          commit(batch);
        }
        failures = 0;
      } catch (EntroQException.Closed e) {
        return;
      } catch (RuntimeException e) {
        // What was claimed is available again when its lease ends.
        waiting.clear();
        failures++;
        pauseAfter(e, failures);
      }
    }
  }

  /** The next batch; empty if the loop is to stop, or no task was good. */
  private List<Item> collect() {
    List<Item> batch = new ArrayList<>();
    int bytes = 0;
    if (waiting.isEmpty()) {
      claim(rules.maxSize(), Claim.FOREVER);
    }
    while (batch.size() < rules.maxSize()) {
      Item next = waiting.peek();
      if (next == null) {
        if (batch.isEmpty() || !claimMore(batch)) {
          break;
        }
      } else {
        bytes += next.bytes() + 1;
        if (!batch.isEmpty() && bytes > rules.maxBytes()) {
          break;
        }
        // If it was taken back meanwhile, it may have come again.
        batch.removeIf(item -> item.task().id().equals(next.task().id()));
        batch.add(waiting.remove());
      }
    }
    return batch;
  }

  private boolean claimMore(List<Item> batch) {
    long passed = ticker.nanoTime() - batch.get(0).claimedNanos();
    Duration left = rules.maxWait().minusNanos(passed);
    Duration wait = left.compareTo(rules.grace()) < 0 ? left : rules.grace();
    return wait.toMillis() > 0 && claim(rules.maxSize() - batch.size(), wait);
  }

  /** Claims tasks, and moves away those that are no JSON; whether it got any. */
  private boolean claim(int limit, Duration maxWait) {
    List<Task> tasks = await(rules.claim().withLimit(limit).withMaxWait(maxWait));
    long nanos = ticker.nanoTime();
    for (Task task : tasks) {
      try {
        JsonNode value = Json.read(task.value());
        waiting.add(new Item(task, value, Json.write(value).size(), nanos));
      } catch (OutcomeException e) {
        quarantine(task, ((Outcome.Quarantine) e.outcome()).reason());
      }
    }
    return !tasks.isEmpty();
  }

  private List<Task> await(Claim wanted) {
    CompletableFuture<List<Task>> future;
    lock.lock();
    try {
      if (isStopping) {
        return List.of();
      }
      future = queue.claimAsync(wanted);
      claim = future;
    } finally {
      lock.unlock();
    }
    try {
      return future.join();
    } catch (CancellationException e) {
      return List.of();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** One that cannot be moved must not keep the others from their batch. */
  private void quarantine(Task task, String reason) {
    try {
      queue.modify(
          Modification.change(
              Change.of(task)
                  .withAttempt(task.attempt() + 1, Results.shorten(reason))
                  .resettingClaims()
                  .moveTo(task.queue() + "/err")));
    } catch (EntroQException.Closed e) {
      throw e;
    } catch (EntroQException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "could not quarantine task %s of %s, which is left to its lease: %s"
              .formatted(task.id(), task.queue(), reason),
          e);
      return;
    }
    LOGGER.log(
        System.Logger.Level.WARNING,
        "quarantined task {0} of {1}: {2}",
        task.id(),
        task.queue(),
        reason);
  }

  private void commit(List<Item> batch) {
    List<Item> items = new ArrayList<>(batch);
    int failures = 0;
    while (!items.isEmpty()) {
      try {
        ModifyResult result = queue.modify(modification(items));
        if (result.isCommitted()) {
          batchedTasks.addAndGet(items.size());
          return;
        }
        if (result instanceof ModifyResult.DependencyFailure failure) {
          dropLost(items, failure);
          continue;
        }
        failures++;
        pauseAfter(new EntroQException.OutcomeUnknown(result.toString()), failures);
      } catch (EntroQException.InvalidArgument e) {
        commitParts(items, e);
        return;
      } catch (EntroQException.Closed e) {
        throw e;
      } catch (EntroQException e) {
        failures++;
        pauseAfter(e, failures);
      }
      if (isStopping()) {
        // Their leases end by themselves.
        return;
      }
      long nowNanos = ticker.nanoTime();
      items.removeIf(item -> nowNanos - item.claimedNanos() > rules.claim().lease().toNanos());
    }
  }

  private Modification modification(List<Item> items) {
    Modification.Builder modification = Modification.builder();
    ArrayNode values = Json.MAPPER.createArrayNode();
    for (Item item : items) {
      modification.delete(item.task());
      values.add(item.value());
    }
    return modification.insert(rules.outbox(), Json.write(values)).build();
  }

  private static void dropLost(List<Item> items, ModifyResult.DependencyFailure failure) {
    int before = items.size();
    items.removeIf(item -> failure.concerns(item.task().id()));
    LOGGER.log(
        System.Logger.Level.WARNING,
        "lost {0} tasks of a batch: {1}",
        before - items.size(),
        failure);
    if (items.size() == before) {
      // It can concern nothing else; do not go on for ever.
      items.clear();
    }
  }

  /** What is refused as a whole may be too large: its halves may not. */
  private void commitParts(List<Item> items, EntroQException.InvalidArgument refusal) {
    if (items.size() == 1) {
      quarantine(items.get(0).task(), "the batch was refused: " + refusal.getMessage());
      return;
    }
    int half = items.size() / 2;
    commit(items.subList(0, half));
    commit(items.subList(half, items.size()));
  }

  private void pauseAfter(RuntimeException failure, int failures) {
    Duration pause = backoff.after(failures);
    LOGGER.log(
        System.Logger.Level.WARNING,
        "request to the queue failed, retrying in " + pause.toMillis() + " ms",
        failure);
    long endNanos = ticker.nanoTime() + pause.toNanos();
    lock.lock();
    try {
      while (!isStopping) {
        long left = endNanos - ticker.nanoTime();
        if (left <= 0) {
          return;
        }
        stopped.awaitNanos(ticker.pauseNanos(left));
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread on purpose: a stray interrupt just ends the pause.
    } finally {
      lock.unlock();
    }
  }
}
