package io.entroq.perf.disk;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.RateLimit;
import io.entroq.perf.fixture.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Takes a queue through all phases at a bounded rate. Runs on one thread; any may read its phase.
 */
final class Churn implements Callable<Void> {
  private static final String INBOX = "inbox";
  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final Duration CONSUMER_WAIT = Duration.ofSeconds(1);

  /** Share of the duration; the rest is for replacing, half before and half after. */
  private static final double IDLE_SHARE = 0.1;

  private static final double CHURN_SHARE = (1 - IDLE_SHARE) / 2;

  private final EntroQ queue;
  private final ChurnConfig config;
  private final SplittableRandom random;
  private final RateLimit rate;
  private final Claim claim;
  private volatile Phase phase = Phase.GROWTH;
  private volatile long replaced;

  Churn(EntroQ queue, ChurnConfig config) {
    this.queue = queue;
    this.config = config;
    this.random = new SplittableRandom(config.seed());
    this.rate = new RateLimit(config.cyclesPerSecond());
    this.claim = Claim.from(INBOX).withLease(LEASE).withLimit(config.batch());
  }

  Phase phase() {
    return phase;
  }

  /** How many tasks were replaced so far. */
  long replaced() {
    return replaced;
  }

  @Override
  public Void call() throws Exception {
    enter(Phase.GROWTH);
    grow();
    enter(Phase.CHURN);
    replace(nanos(CHURN_SHARE));
    enter(Phase.DRAIN);
    drain();
    enter(Phase.IDLE);
    idle(nanos(IDLE_SHARE));
    enter(Phase.SECOND_GROWTH);
    grow();
    enter(Phase.SECOND_CHURN);
    replace(nanos(CHURN_SHARE));
    return null;
  }

  private void enter(Phase next) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("before " + next);
    }
    phase = next;
  }

  private long nanos(double share) {
    return (long) (config.duration().toNanos() * share);
  }

  private void grow() throws InterruptedException {
    for (int grown = 0; grown < config.tasks(); ) {
      int count = Math.min(Backlog.BATCH, config.tasks() - grown);
      Modification.Builder batch = Modification.builder();
      insert(batch, count);
      execute(batch, count);
      grown += count;
    }
  }

  private void replace(long durationNs) throws InterruptedException {
    long startNs = System.nanoTime();
    long done = replaced;
    while (System.nanoTime() - startNs < durationNs) {
      List<Task> tasks = queue.tryClaimMany(claim);
      Modification.Builder batch = deletionOf(tasks);
      insert(batch, tasks.size());
      execute(batch, tasks.size());
      done += tasks.size();
      replaced = done;
    }
  }

  private void drain() throws InterruptedException {
    List<Task> tasks = queue.tryClaimMany(claim);
    while (!tasks.isEmpty()) {
      execute(deletionOf(tasks), tasks.size());
      tasks = queue.tryClaimMany(claim);
    }
  }

  private void idle(long durationNs) throws Exception {
    ExecutorService consumers = Executors.newFixedThreadPool(config.consumers());
    try {
      List<Future<?>> waits = new ArrayList<>();
      for (int i = 0; i < config.consumers(); i++) {
        waits.add(consumers.submit(() -> awaitNothing(durationNs)));
      }
      for (Future<?> wait : waits) {
        wait.get();
      }
    } finally {
      consumers.shutdownNow();
    }
  }

  private Void awaitNothing(long durationNs) throws InterruptedException {
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < durationNs) {
      List<Task> tasks = queue.claimMany(claim.withMaxWait(CONSUMER_WAIT));
      if (!tasks.isEmpty()) {
        throw new IllegalStateException("tasks in an empty queue: " + tasks);
      }
    }
    return null;
  }

  private static Modification.Builder deletionOf(List<Task> tasks) {
    Modification.Builder batch = Modification.builder();
    tasks.forEach(batch::delete);
    return batch;
  }

  private void insert(Modification.Builder batch, int count) {
    for (int i = 0; i < count; i++) {
      int bytes = 1 + random.nextInt(2 * config.valueBytes() - 1);
      batch.insert(Insert.into(INBOX).withValue(Values.random(random, bytes)));
    }
  }

  private void execute(Modification.Builder batch, int tasks) throws InterruptedException {
    queue.modify(batch.build()).orThrow();
    rate.await(tasks);
    if (Thread.interrupted()) {
      throw new InterruptedException("in " + phase);
    }
  }
}
