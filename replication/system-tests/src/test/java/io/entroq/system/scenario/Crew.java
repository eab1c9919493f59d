package io.entroq.system.scenario;

import io.entroq.api.EntroQ;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.Closing;
import io.entroq.system.history.Finding;
import io.entroq.system.history.Harm;
import io.entroq.system.history.History;
import io.entroq.system.history.Kind;
import io.entroq.system.history.Progress;
import io.entroq.system.load.Caller;
import io.entroq.system.load.Recorder;
import io.entroq.system.load.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Workers in threads of this process, each with a client of its own. For one thread. */
final class Crew implements AutoCloseable {
  /** How long a call is tried for. */
  static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

  /**
   * How long a Modify is tried for at the least before nobody knows what came of it: in the last
   * moments of a call there is no other attempt.
   */
  static final Duration CERTAINTY = CALL_TIMEOUT.minusSeconds(1);

  /** How long anything may take, however slow the machine is. */
  static final Duration PATIENCE = CALL_TIMEOUT.plusSeconds(30);

  private static final int WORKERS = 4;
  private static final Duration PACE = Duration.ofMillis(10);
  private static final Duration LEASE_MAX = Duration.ofSeconds(4);

  private static final long LOOK_MS = 50;

  /** How many times as long as one may take whoever does get on, but not with all kinds. */
  private static final int SLOW = 5;

  private final Recorder recorder;
  private final List<EntroQ> clients = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final Map<String, Thread> threads = new LinkedHashMap<>();

  /** Of threads that died. */
  private final Queue<Finding> deaths = new ConcurrentLinkedQueue<>();

  private Crew(Recorder recorder) {
    this.recorder = recorder;
  }

  /** Sets workers to work, each at another member first. */
  static Crew start(List<String> servers, Recorder recorder, long seed) {
    List<EntroQ> clients = new ArrayList<>();
    try {
      for (int i = 0; i < WORKERS; i++) {
        List<String> order = new ArrayList<>(servers);
        Collections.rotate(order, i);
        clients.add(connect(order));
      }
      return start(recorder, clients, seed);
    } catch (Throwable t) {
      Closing.after(t, clients.toArray(AutoCloseable[]::new));
      throw t;
    }
  }

  /** Sets a worker to work through each client, which is then the crew's. */
  static Crew start(Recorder recorder, List<EntroQ> clients, long seed) {
    Crew crew = new Crew(recorder);
    crew.clients.addAll(clients);
    clients.forEach(client -> crew.hire(client, seed + crew.workers.size()));
    crew.threads.values().forEach(Thread::start);
    return crew;
  }

  private void hire(EntroQ client, long seed) {
    String name = "w" + workers.size();
    Worker worker = new Worker(new Caller(name, client, recorder, PATIENCE), seed, PACE, LEASE_MAX);
    Thread thread = new Thread(worker, "worker " + name);
    thread.setUncaughtExceptionHandler(
        (unused, e) -> deaths.add(new Finding(Harm.STUCK, name + " has died: " + e)));
    workers.add(worker);
    threads.put(name, thread);
  }

  /** A client of several members. */
  static EntroQ connect(List<String> servers) {
    return EntroQClient.connect(
        ClientConfig.to(servers.toArray(String[]::new))
            .connectTimeout(CALL_TIMEOUT)
            .callTimeout(CALL_TIMEOUT)
            .build());
  }

  /**
   * Waits until each worker has got something done that he asks for from now on.
   *
   * @param kinds of each of these
   * @param bound how long whoever misses something may get nothing done at all; on a slow machine
   *     all take longer
   * @return who has not, in time
   */
  List<Finding> awaitProgress(Set<Kind> kinds, Duration bound) throws InterruptedException {
    long beginNs = System.nanoTime();
    List<Finding> missing = Progress.missing(recorder.since(beginNs), threads.keySet(), kinds);
    while (!missing.isEmpty() && deaths.isEmpty() && !isAnybodyStuck(beginNs, kinds, bound)) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      missing = Progress.missing(recorder.since(beginNs), threads.keySet(), kinds);
    }
    return missing;
  }

  private boolean isAnybodyStuck(long beginNs, Set<Kind> kinds, Duration bound) {
    long nowNs = System.nanoTime();
    if (nowNs - beginNs < bound.toNanos()) {
      return false;
    }
    History since = recorder.since(beginNs);
    History lately = recorder.since(nowNs - bound.toNanos());
    return nowNs - beginNs >= bound.toNanos() * SLOW
        || threads.keySet().stream()
            .filter(name -> !Progress.missing(since, Set.of(name), kinds).isEmpty())
            .anyMatch(name -> !Progress.hasGotOn(lately, name));
  }

  /** Ends all work; who does not end, or has before. */
  List<Finding> finish() throws InterruptedException {
    workers.forEach(Worker::stop);
    long endNs = System.nanoTime() + PATIENCE.multipliedBy(2).toNanos();
    for (Thread thread : threads.values()) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
    }
    List<Finding> findings = new ArrayList<>(deaths);
    threads.forEach(
        (name, thread) -> {
          if (thread.isAlive()) {
            findings.add(new Finding(Harm.STUCK, name + " does not end"));
          }
        });
    return findings;
  }

  @Override
  public void close() {
    workers.forEach(Worker::stop);
    threads.values().forEach(Thread::interrupt);
    Closing.all(clients.toArray(AutoCloseable[]::new));
  }
}
