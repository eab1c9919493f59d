package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Workers on two queues that share a limiter, whose servers are killed under them. Notes when each
 * task starts, by log time, and for how long it is held. One thread opens, waits and closes.
 */
final class LimitedLoad implements AutoCloseable {
  private static final int WORKERS = 8;
  private static final int TASKS = 50;
  private static final int HOLD_MS_MAX = 80;

  /** Longer than servers are away and workers are kept waiting. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  /** Of all that wait for servers however often these are killed. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final QueuePolicy.Rate RATE = new QueuePolicy.Rate(20, SECOND, 5);
  private static final QueuePolicy.Rate SHARED_RATE = new QueuePolicy.Rate(40, SECOND, 8);
  private static final int IN_FLIGHT = 3;
  private static final String RATED = "rated";
  private static final String FREE = "free";
  private static final Policies.Target SHARED = Policies.Target.limiter("shared");
  private static final Policies.Target SLOW = Policies.Target.limiter("slow");

  /**
   * A task as it was handed out.
   *
   * @param atMs log time
   */
  private record Start(String queue, long atMs) {}

  /** For how long it is certain that a task was in flight, by the clock of this process. */
  private record Hold(long beginNs, long endNs) {}

  private final List<EntroQ> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Start> starts = new ConcurrentLinkedQueue<>();
  private final Queue<Hold> holds = new ConcurrentLinkedQueue<>();
  private final Set<Throwable> failures = ConcurrentHashMap.newKeySet();
  private final Instant slowGate;
  private volatile boolean isOver;

  /**
   * Sets the rules and begins.
   *
   * @param servers with commas in between
   */
  LimitedLoad(String servers, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < WORKERS; i++) {
      clients.add(
          EntroQClient.connect(
              ClientConfig.to(servers)
                  .streaming(i % 2 == 0)
                  .connectTimeout(PATIENCE)
                  .callTimeout(PATIENCE)
                  .build()));
    }
    slowGate = prepare(clients.get(0));
    for (EntroQ client : clients) {
      SplittableRandom own = random.split();
      threads.add(new Thread(() -> work(client, own), "limited worker"));
    }
    threads.forEach(Thread::start);
  }

  /** Returns when the limiter that starts one task a day lets the next one start. */
  private static Instant prepare(EntroQ queue) {
    Modification.Builder rules = Modification.builder();
    rules.add(Modification.put(new Limiter("shared", Optional.of(SHARED_RATE), IN_FLIGHT)));
    rules.add(Modification.put(Limiter.of("slow").rate(1, Duration.ofDays(1))));
    rules.add(
        Modification.put(
            QueuePolicy.of(RATED)
                .rate(RATE.limit(), RATE.period())
                .burst(RATE.burst())
                .limiters("shared")));
    rules.add(Modification.put(QueuePolicy.of(FREE).limiters("shared")));
    rules.add(Modification.put(QueuePolicy.of("daily").limiters("slow")));
    for (int i = 0; i < TASKS; i++) {
      rules.insert(RATED, "work").insert(FREE, "work");
    }
    rules.insert("daily", "first").insert("daily", "second");
    queue.modify(rules.build()).orThrow();
    queue.modify(Modification.delete(queue.tryClaim(Claim.from("daily")).orElseThrow())).orThrow();
    return entry(queue, SLOW).nextStart().orElseThrow();
  }

  private static Policies.Entry entry(EntroQ queue, Policies.Target target) {
    return queue.policies().get(target).orElseThrow();
  }

  private void work(EntroQ queue, SplittableRandom random) {
    try {
      while (!isOver) {
        List<Task> tasks = claimed(queue, random);
        long beginNs = System.nanoTime();
        tasks.forEach(task -> starts.add(new Start(task.queue(), task.modified().toEpochMilli())));
        tasks.forEach(task -> workOn(queue, task, beginNs, random.nextInt(HOLD_MS_MAX)));
      }
    } catch (Throwable t) {
      failures.add(t);
      if (t instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Nobody is in doubt of a claim whose time is up while there is no server. */
  private static List<Task> claimed(EntroQ queue, SplittableRandom random)
      throws InterruptedException {
    Claim claim =
        switch (random.nextInt(3)) {
          case 0 -> Claim.from(RATED);
          case 1 -> Claim.from(FREE);
          default -> Claim.from(RATED, FREE);
        };
    try {
      return queue.claimMany(
          claim.withLease(LEASE).withLimit(random.nextInt(1, 3)).withMaxWait(SECOND));
    } catch (EntroQException.Unavailable e) {
      return List.of();
    }
  }

  private void workOn(EntroQ queue, Task task, long beginNs, int holdMs) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(holdMs));
    // From when this is sent on another may start.
    long endNs = System.nanoTime();
    Modification again =
        Modification.builder().delete(task).insert(task.queue(), task.value()).build();
    try {
      queue.modify(again).orThrow();
      holds.add(new Hold(beginNs, endNs));
    } catch (EntroQException.Dependency e) {
      // The server was killed before it knew that the task has arrived here, and gave it back.
    }
  }

  /** Waits until so many more tasks have started and are done. */
  void awaitStarts(int more) {
    int enough = holds.size() + more;
    until("more are done", PATIENCE, () -> holds.size() >= enough || !failures.isEmpty());
    assertThat(failures).isEmpty();
  }

  /** What limiters and queues remember is as it was. */
  void checkMemory() {
    EntroQ queue = clients.get(0);
    assertThat(entry(queue, SLOW).nextStart()).contains(slowGate);
    assertThat(queue.tryClaim(Claim.from("daily"))).isEmpty();
    assertThat(entry(queue, SHARED).inFlight()).isBetween(0, IN_FLIGHT);
  }

  /** Ends, and checks every window between two starts. */
  void end() throws InterruptedException {
    isOver = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(entry(clients.get(0), SHARED).inFlight()).isZero();
    assertThat(heldMost()).isEqualTo(IN_FLIGHT);
    assertRate(SHARED_RATE, Set.of(RATED, FREE));
    assertRate(RATE, Set.of(RATED));
  }

  private int heldMost() {
    // Of two at one moment the end comes first.
    TreeMap<Long, Integer> changes = new TreeMap<>();
    holds.forEach(hold -> changes.merge(hold.beginNs(), 1, Integer::sum));
    holds.forEach(hold -> changes.merge(hold.endNs(), -1, Integer::sum));
    int held = 0;
    int most = 0;
    for (int change : changes.values()) {
      held += change;
      most = Math.max(most, held);
    }
    return most;
  }

  /** At most burst + w / interval starts in each window of w. */
  private void assertRate(QueuePolicy.Rate rate, Set<String> queues) {
    long[] times =
        starts.stream()
            .filter(start -> queues.contains(start.queue()))
            .mapToLong(Start::atMs)
            .sorted()
            .toArray();
    long intervalMs = rate.period().toMillis() / rate.limit();
    // Had each start waited for its interval: the latest time of the next.
    long nextMs = 0;
    for (int i = 0; i < times.length; i++) {
      assertThat(nextMs - times[i])
          .as("how early start %d of %d in %s is", i, times.length, queues)
          .isLessThanOrEqualTo((rate.burst() - 1) * intervalMs);
      nextMs = Math.max(nextMs, times[i]) + intervalMs;
    }
    System.out.printf("%,d starts in %s%n", times.length, queues);
  }

  @Override
  public void close() {
    isOver = true;
    clients.forEach(EntroQ::close);
  }
}
