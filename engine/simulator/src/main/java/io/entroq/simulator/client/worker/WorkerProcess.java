package io.entroq.simulator.client.worker;

import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerBuilder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that works on several tasks at once until it dies or is closed. */
final class WorkerProcess {
  private static final int MODIFY_SENDS_MAX = 6;

  /** The back-off of failed tasks. */
  static final Backoff RETRIES = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(8), 0.3);

  private static final Backoff REQUESTS =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 0.5);

  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private final LeaseKeeper leases;
  private final Handling handling;
  private final Duration lease;
  private final Runnable onEnd;
  private final List<Slot> slots = new ArrayList<>();

  /**
   * @param lease length of its leases
   * @param handling what it does with its tasks
   * @param onEnd learns that it has died or closed
   */
  WorkerProcess(
      WorkerContext context,
      SeededRandom random,
      int client,
      List<String> queues,
      Duration lease,
      Handling handling,
      Runnable onEnd) {
    this.life = new ProcessLifetime(context.events);
    this.queue = new RemoteQueue(context, life, random, client, 1 + random.below(MODIFY_SENDS_MAX));
    this.leases = new LeaseKeeper(life, queue);
    this.handling = handling;
    this.lease = lease;
    this.onEnd = onEnd;
    WorkerBuilder<Work> builder = builder(queues, random.oneIn(2));
    for (int i = 0; i < context.config.slots(); i++) {
      slots.add(new Slot(this, builder, () -> (random.next() >>> 11) * 0x1.0p-53));
    }
  }

  private WorkerBuilder<Work> builder(List<String> queues, boolean claimsWithCommit) {
    return Worker.on(queue)
        .from(queues)
        .values(handling.codec())
        .lease(lease)
        .maxAttempts(WorkersConfig.MAX_ATTEMPTS)
        .maxClaims(handling.maxClaims())
        .retryBackoff(RETRIES)
        .requestBackoff(REQUESTS)
        .errorQueue(name -> WorkQueues.ERRORS)
        .claimWithCommit(claimsWithCommit);
  }

  void start() {
    slots.forEach(Slot::start);
  }

  ProcessLifetime life() {
    return life;
  }

  RemoteQueue queue() {
    return queue;
  }

  LeaseKeeper leases() {
    return leases;
  }

  Handling handling() {
    return handling;
  }

  Duration lease() {
    return lease;
  }

  /** Dies with all its tasks; false if it is already dead. */
  boolean die() {
    if (life.isOver()) {
      return false;
    }
    life.end();
    onEnd.run();
    return true;
  }

  /** Finishes its current tasks and ends. */
  void close() {
    life.happen(() -> slots.forEach(Slot::stop));
  }

  void onSlotEnded() {
    if (slots.stream().allMatch(Slot::isEnded)) {
      die();
    }
  }

  @Override
  public String toString() {
    return queue.claimant();
  }

  /** Fails if one of its slots has been idle since a time. */
  void requireAlive(long sinceNs) {
    for (Slot slot : slots) {
      boolean goesOn = life.isOver() || slot.isEnded() || slot.steppedNs() >= sinceNs;
      Invariant.WORKERS_GO_ON.require(goesOn, slot, "a step", "none for a long time");
    }
  }
}
