package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What faults act on. For one thread.
 *
 * @param notes called with each event
 */
record FaultContext(Cluster cluster, SplittableRandom random, Consumer<String> notes) {
  /** The pause after a fault. */
  private static final long QUIET_MS = 1_500;

  /** Lets callers work for a while. */
  void work(Duration time) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(time.toMillis());
  }

  /** A random time up to a bound. */
  Duration upTo(Duration most) {
    return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
  }

  /** A multiple of the heartbeat timeout. */
  Duration heartbeats(double times) {
    return Duration.ofMillis((long) (cluster.config().heartbeatTimeout().toMillis() * times));
  }

  /** Starts all members, waits for a leader, and a while longer. */
  void settle() throws Exception {
    cluster.startAll();
    cluster.awaitLeader();
    work(Duration.ofMillis(QUIET_MS));
  }

  int leader() throws Exception {
    return cluster.awaitLeader();
  }

  /** A random follower. */
  int follower() throws Exception {
    int[] others = cluster.others(leader());
    return others[random.nextInt(others.length)];
  }

  int any() {
    int[] ids = cluster.ids();
    return ids[random.nextInt(ids.length)];
  }

  void note(String what) {
    notes.accept(what);
  }
}
