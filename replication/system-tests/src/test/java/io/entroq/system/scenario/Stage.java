package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Where faults happen. For one thread.
 *
 * @param random what chance there is
 * @param notes hears what happens, a line at a time
 */
record Stage(Cluster cluster, SplittableRandom random, Consumer<String> notes) {
  /** How long after a fault a cluster works on before the next. */
  private static final long QUIET_MS = 1_500;

  /** Lets callers work for a while. */
  void work(Duration time) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(time.toMillis());
  }

  /** Some time up to a bound. */
  Duration upTo(Duration most) {
    return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
  }

  /** So many times what a follower waits for its leader. */
  Duration heartbeats(double times) {
    return Duration.ofMillis((long) (cluster.config().heartbeatTimeout().toMillis() * times));
  }

  /** Waits until all is well, and a while longer. */
  void settle() throws Exception {
    cluster.startAll();
    cluster.awaitLeader();
    work(Duration.ofMillis(QUIET_MS));
  }

  int leader() throws Exception {
    return cluster.awaitLeader();
  }

  /** Any that does not lead. */
  int follower() throws Exception {
    int[] others = cluster.others(leader());
    return others[random.nextInt(others.length)];
  }

  /** Any. */
  int any() {
    int[] ids = cluster.ids();
    return ids[random.nextInt(ids.length)];
  }

  void note(String what) {
    notes.accept(what);
  }
}
