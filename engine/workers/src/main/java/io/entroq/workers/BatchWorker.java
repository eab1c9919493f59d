package io.entroq.workers;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Ticker;
import io.entroq.api.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Makes one task of many: claims what comes within a short time, and replaces it by one task whose
 * value is the JSON array of all their values.
 *
 * <pre>{@code
 * BatchWorker worker = BatchWorker.on(queue).from("events").maxSize(100).start("batches");
 * }</pre>
 *
 * <p>A batch ends when it has {@link Builder#maxSize}, when no task has come for {@link
 * Builder#grace}, or {@link Builder#maxWait} after its first task. One Modify deletes its tasks and
 * inserts it, so each task is in one batch, whatever fails. If it fails because some of the leases
 * have ended, the others are committed without them. Values are in the order in which their tasks
 * were claimed, which need not be that of their inserts.
 *
 * <p>A task whose value is not JSON is moved to its queue followed by {@code /err}.
 *
 * <p>Leases are not renewed: {@link Builder#maxWait} is half a lease at most. While the queue is
 * unavailable, a commit is repeated until the leases have ended.
 *
 * <p>Thread-safe. Close it before the EntroQ. Its thread is {@code entroq-batch}.
 */
public final class BatchWorker implements AutoCloseable {
  /** The largest {@link Builder#maxSize}. */
  public static final int SIZE_MAX = Claim.LIMIT_MAX;

  private final BatchLoop loop;
  private final Thread thread;

  private BatchWorker(BatchLoop loop) {
    this.loop = loop;
    this.thread = new Thread(loop, "entroq-batch");
  }

  /** Starts to configure a worker. */
  public static Builder on(EntroQ queue) {
    return new Builder(queue);
  }

  /** Whether it is working: neither it nor the EntroQ is closed. */
  public boolean isRunning() {
    return thread.isAlive() && !loop.isStopping();
  }

  /** How many tasks it has put into batches. */
  public long batchedTasks() {
    return loop.batchedTasks();
  }

  /**
   * Stops claiming, commits the batch that has begun, and waits for that. An interrupt of the
   * caller ends the wait and stays pending.
   */
  @Override
  public void close() {
    loop.stop();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Configures a worker. Not thread-safe. */
  public static final class Builder {
    private static final Duration WAIT_DEFAULT = Duration.ofSeconds(5);
    private static final Duration GRACE_DEFAULT = Duration.ofSeconds(1);
    private static final int BYTES_DEFAULT = 512 * 1024;

    private final EntroQ queue;
    private List<String> queues = List.of();
    private Duration lease = Claim.DEFAULT_LEASE;
    private int maxSize = 10;
    private Duration maxWait = WAIT_DEFAULT;
    private Duration grace = GRACE_DEFAULT;
    private int maxBytes = BYTES_DEFAULT;

    private Builder(EntroQ queue) {
      this.queue = Objects.requireNonNull(queue, "queue");
    }

    /** The queues to claim from; at least one. */
    public Builder from(String... names) {
      queues = List.of(names);
      return this;
    }

    /** Length of a lease: 1 ms to 1 hour, default 45 s. */
    public Builder lease(Duration newLease) {
      Limits.time("lease", newLease, Duration.ofHours(1));
      lease = newLease;
      return this;
    }

    /** How many tasks a batch has at most: 1 to 1,000, default 10. */
    public Builder maxSize(int tasks) {
      Limits.count("maxSize", tasks, 1, SIZE_MAX);
      maxSize = tasks;
      return this;
    }

    /**
     * How long after its first task a batch ends at the latest: at most half a lease, default 5 s.
     */
    public Builder maxWait(Duration time) {
      Limits.time("maxWait", time, Duration.ofHours(1));
      maxWait = time;
      return this;
    }

    /** How long a batch waits for one more task; default 1 s. */
    public Builder grace(Duration time) {
      Limits.time("grace", time, Duration.ofHours(1));
      grace = time;
      return this;
    }

    /**
     * How many bytes of JSON a batch has at most: 1 to 8,388,608, default 524,288. A larger value
     * is a batch of its own.
     */
    public Builder maxBytes(int bytes) {
      Limits.count("maxBytes", bytes, 1, 8 << 20);
      maxBytes = bytes;
      return this;
    }

    /**
     * Starts a worker.
     *
     * @param outbox the queue for batches
     * @throws EntroQException.InvalidArgument if there is no queue, a name is invalid, or maxWait
     *     is more than half a lease
     */
    public BatchWorker start(String outbox) {
      if (maxWait.multipliedBy(2).compareTo(lease) > 0) {
        throw new EntroQException.InvalidArgument(
            "maxWait must be at most half of the lease of %s, is %s".formatted(lease, maxWait));
      }
      Claim claim = Claim.from(queues).withLease(lease);
      Ticker ticker =
          queue.extension(Worker.Host.class).map(Worker.Host::ticker).orElseGet(Ticker::system);
      BatchLoop.Rules rules =
          new BatchLoop.Rules(
              claim, TaskQuery.in(outbox).queue(), maxSize, maxBytes, maxWait, grace);
      BatchWorker worker = new BatchWorker(new BatchLoop(queue, rules, ticker));
      queue.extension(Worker.Host.class).ifPresent(host -> host.onStart(queues));
      worker.thread.start();
      return worker;
    }
  }
}
