package io.entroq.system.load;

import io.entroq.api.Claim;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Inserts, claims, renews, moves, deletes and abandons tasks at random, until it is stopped. One
 * thread runs it.
 */
public final class Worker implements Runnable {
  /** The queues that all workers use. */
  public static final List<String> QUEUES = List.of("red", "green", "blue");

  /** The queue of races for ids; its tasks are never claimed, since an id is used once. */
  public static final String RACE_QUEUE = "race";

  private static final long RACE_MS_MIN = 100;

  /** Operations of a worker during a race. */
  private static final int RACE_PACES = 10;

  private final Caller caller;
  private final SplittableRandom random;
  private final Duration pace;
  private final Duration leaseMax;
  private final long raceMs;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private int inserts;

  /**
   * @param pace the average pause between two operations
   * @param leaseMax the longest lease, and twice the longest wait of a claim
   */
  public Worker(Caller caller, long seed, Duration pace, Duration leaseMax) {
    this.caller = caller;
    this.random = new SplittableRandom(seed);
    this.pace = pace;
    this.leaseMax = leaseMax;
    raceMs = Math.max(RACE_MS_MIN, RACE_PACES * pace.toMillis());
  }

  /** Stops after the current operation. Any thread. */
  public void stop() {
    isOver.set(true);
  }

  @Override
  public void run() {
    try {
      while (!isOver.get()) {
        step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void step() throws InterruptedException {
    int choice = random.nextInt(100);
    if (choice < 30) {
      insert();
    } else if (choice < 38) {
      race();
    } else {
      for (Task task : caller.claim(claim())) {
        workOn(task);
      }
    }
    pause();
  }

  private void pause() {
    LockSupport.parkNanos(random.nextLong(1 + 2 * pace.toNanos()));
  }

  private void insert() throws InterruptedException {
    PlannedModify plan = new PlannedModify();
    List<String> ids = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      ids.add(newId());
      plan.insert(ids.get(ids.size() - 1), queue());
    }
    caller.modify(plan);
    if (random.nextInt(4) == 0) {
      caller.read(ids);
    }
  }

  private String newId() {
    inserts++;
    return "t-" + caller.name() + "-" + inserts;
  }

  /** Several workers try to insert the same id at about the same time. */
  private void race() throws InterruptedException {
    long round = TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) / raceMs;
    caller.modify(new PlannedModify().insert("race-" + round, RACE_QUEUE));
  }

  private Claim claim() {
    Claim claim =
        (random.nextBoolean() ? Claim.from(queue()) : Claim.from(QUEUES)).withLease(lease());
    claim = claim.withLimit(random.nextInt(1, 4));
    return random.nextInt(4) == 0
        ? claim.withMaxWait(Duration.ZERO)
        : claim.withMaxWait(Duration.ofMillis(random.nextLong(1, leaseMax.toMillis() / 2)));
  }

  private Duration lease() {
    return Duration.ofMillis(random.nextLong(leaseMax.toMillis() / 8, leaseMax.toMillis()));
  }

  private String queue() {
    return QUEUES.get(random.nextInt(QUEUES.size()));
  }

  private void workOn(Task task) throws InterruptedException {
    int choice = random.nextInt(100);
    if (choice < 45) {
      caller.modify(new PlannedModify().delete(task));
    } else if (choice < 60) {
      finish(task);
    } else if (choice < 75) {
      renewAndDelete(task);
    } else if (choice < 87) {
      caller.modify(new PlannedModify().move(task, queue()));
    } else if (choice < 92) {
      // An old version: this must be refused.
      caller.modify(new PlannedModify().delete(task, task.version() - 1));
    }
    // Otherwise the lease expires.
    if (random.nextInt(5) == 0) {
      caller.read(List.of(task.id().text()));
    }
  }

  /** Deletes a task, inserts the next and claims another in one step. */
  private void finish(Task task) throws InterruptedException {
    PlannedModify plan =
        new PlannedModify()
            .delete(task)
            .insert(newId(), queue())
            .thenClaim(Claim.from(queue()).withLease(lease()));
    Optional<ModifyResult.Committed> done = caller.modify(plan);
    if (done.isPresent() && done.get().next().isPresent()) {
      caller.modify(new PlannedModify().delete(done.get().next().get()));
    }
  }

  private void renewAndDelete(Task task) throws InterruptedException {
    Optional<ModifyResult.Committed> renewed =
        caller.modify(new PlannedModify().renew(task, lease()));
    if (renewed.isPresent()) {
      pause();
      caller.modify(new PlannedModify().delete(renewed.get().changed().get(0)));
    }
  }
}
