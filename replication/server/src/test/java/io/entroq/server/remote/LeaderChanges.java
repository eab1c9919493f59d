package io.entroq.server.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends the leader of a cluster every now and then, at random as one that is told to or as one that
 * is killed, and starts it again when there is another one. A thread of its own; nobody else starts
 * and ends members but under its lock.
 */
final class LeaderChanges {
  private final ServedMembers cluster;
  private final long pauseNs;
  private final Random random;
  private final CountDownLatch isOver = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "leader changes");
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger killed = new AtomicInteger();
  private volatile boolean isWanted;
  private volatile Throwable failure;

  /** Who is left alone, though he may lead; -1: nobody. */
  private volatile int spared = -1;

  /**
   * @param pause from when all follow a leader until it is ended
   */
  LeaderChanges(ServedMembers cluster, Duration pause) {
    this.cluster = cluster;
    pauseNs = pause.toNanos();
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("-Dtest.seed=" + seed);
    random = new Random(seed);
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits until all are up, and leaves one alone from now on that does not lead then. */
  synchronized int spareFollower() {
    spared = cluster.follower(cluster.awaitLeader());
    return spared;
  }

  /** From now on leaders are ended. */
  void begin() {
    if (failure != null) {
      throw new AssertionError("a member did not come back; " + this, failure);
    }
    isWanted = true;
  }

  /** From now on no leader is ended, and nobody spared; one that is down is started anyway. */
  void pause() {
    isWanted = false;
    spared = -1;
  }

  /** How many leaders have been ended that have come back. */
  int count() {
    return closed.get() + killed.get();
  }

  @Override
  public String toString() {
    return closed + " leaders were closed, " + killed + " killed";
  }

  private void run() {
    try {
      while (!isOver.await(pauseNs, TimeUnit.NANOSECONDS)) {
        change();
      }
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      failure = e;
    }
  }

  private synchronized void change() throws IOException {
    int leader = cluster.awaitLeader();
    if (!isWanted || leader == spared) {
      return;
    }
    boolean isKill = random.nextBoolean();
    if (isKill) {
      cluster.kill(leader);
    } else {
      cluster.stop(leader);
    }
    cluster.awaitLeader();
    cluster.start(leader);
    cluster.awaitLeader();
    (isKill ? killed : closed).incrementAndGet();
  }

  /** Ends when all are up again. */
  void end() throws InterruptedException {
    isOver.countDown();
    thread.join();
    System.out.println(this);
    if (failure != null) {
      throw new AssertionError("a member did not come back", failure);
    }
  }
}
