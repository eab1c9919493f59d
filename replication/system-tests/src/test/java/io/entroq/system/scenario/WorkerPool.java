package io.entroq.system.scenario;

import io.entroq.api.EntroQ;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.Closing;
import io.entroq.system.history.History;
import io.entroq.system.history.OperationKind;
import io.entroq.system.history.Progress;
import io.entroq.system.history.Violation;
import io.entroq.system.history.ViolationKind;
import io.entroq.system.load.Caller;
import io.entroq.system.load.HistoryRecorder;
import io.entroq.system.load.PlainHttp;
import io.entroq.system.load.QueueCalls;
import io.entroq.system.load.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Workers in threads of this process, each with a client of its own. For one thread. */
final class WorkerPool implements AutoCloseable {
  static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

  /** A Modify is retried at least this long before its outcome is unknown. */
  static final Duration CERTAINTY = CALL_TIMEOUT.minusSeconds(1);

  /** How long an operation may take on a slow machine. */
  static final Duration LIMIT = CALL_TIMEOUT.plusSeconds(30);

  private static final int WORKERS = 4;
  private static final Duration LEASE_MAX = Duration.ofSeconds(4);

  private static final long POLL_MS = 50;

  /** A worker with some progress may take this many times as long. */
  private static final int SLOW = 5;

  private final HistoryRecorder recorder;
  private final Set<String> plain = new LinkedHashSet<>();
  private final Duration pace;
  private final List<QueueCalls> clients = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final Map<String, Thread> threads = new LinkedHashMap<>();

  /** What is done meanwhile. */
  @FunctionalInterface
  interface Poll {
    void run() throws Exception;
  }

  /** Workers that died. */
  private final Queue<Violation> failures = new ConcurrentLinkedQueue<>();

  private WorkerPool(HistoryRecorder recorder, Duration pace) {
    this.recorder = recorder;
    this.pace = pace;
  }

  /** Starts workers, each with another first member, and those that use plain HTTP. */
  static WorkerPool start(List<String> servers, Load load, HistoryRecorder recorder, long seed) {
    List<EntroQ> clients = new ArrayList<>();
    try {
      for (int i = 0; i < WORKERS; i++) {
        List<String> order = new ArrayList<>(servers);
        Collections.rotate(order, i);
        clients.add(connect(order));
      }
      return start(recorder, clients, load, seed);
    } catch (Throwable t) {
      Closing.after(t, clients.toArray(AutoCloseable[]::new));
      throw t;
    }
  }

  /** Starts a worker for each client, and owns the clients. */
  static WorkerPool start(HistoryRecorder recorder, List<EntroQ> clients, long seed) {
    return start(recorder, clients, Load.USUAL, seed);
  }

  private static WorkerPool start(
      HistoryRecorder recorder, List<EntroQ> clients, Load load, long seed) {
    WorkerPool workers = new WorkerPool(recorder, load.pace());
    for (EntroQ client : clients) {
      workers.addWorker("w" + workers.workers.size(), QueueCalls.of(client), seed);
    }
    for (String server : load.plain()) {
      String name = "plain" + workers.plain.size();
      workers.plain.add(name);
      workers.addWorker(name, new PlainHttp(server, name), seed);
    }
    workers.threads.values().forEach(Thread::start);
    return workers;
  }

  /** The workers that use plain HTTP. */
  Set<String> plain() {
    return Set.copyOf(plain);
  }

  private void addWorker(String name, QueueCalls client, long seed) {
    clients.add(client);
    Caller caller = new Caller(name, client, recorder, LIMIT);
    Worker worker = new Worker(caller, seed + workers.size(), pace, LEASE_MAX);
    Thread thread = new Thread(worker, "worker " + name);
    thread.setUncaughtExceptionHandler(
        (unused, e) -> failures.add(new Violation(ViolationKind.STUCK, name + " has died: " + e)));
    workers.add(worker);
    threads.put(name, thread);
  }

  static EntroQ connect(List<String> servers) {
    return EntroQClient.connect(
        ClientConfig.to(servers.toArray(String[]::new))
            .connectTimeout(CALL_TIMEOUT)
            .callTimeout(CALL_TIMEOUT)
            .build());
  }

  /**
   * Waits until each worker has completed operations of all kinds that begin from now on.
   *
   * @param kinds that each worker must complete
   * @param bound how long a worker may make no progress; with some progress it may take longer
   * @return violations for the others
   */
  List<Violation> awaitProgress(Set<OperationKind> kinds, Duration bound) throws Exception {
    return awaitProgress(kinds, bound, () -> {});
  }

  /** Does something else again and again while it waits. */
  List<Violation> awaitProgress(Set<OperationKind> kinds, Duration bound, Poll poll)
      throws Exception {
    long startNs = System.nanoTime();
    List<Violation> missing = Progress.missing(recorder.since(startNs), threads.keySet(), kinds);
    while (!missing.isEmpty() && failures.isEmpty() && !hasStalledWorker(startNs, kinds, bound)) {
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
      poll.run();
      missing = Progress.missing(recorder.since(startNs), threads.keySet(), kinds);
    }
    return missing;
  }

  private boolean hasStalledWorker(long startNs, Set<OperationKind> kinds, Duration bound) {
    long nowNs = System.nanoTime();
    if (nowNs - startNs < bound.toNanos()) {
      return false;
    }
    History since = recorder.since(startNs);
    History lately = recorder.since(nowNs - bound.toNanos());
    return nowNs - startNs >= bound.toNanos() * SLOW
        || threads.keySet().stream()
            .filter(name -> !Progress.missing(since, Set.of(name), kinds).isEmpty())
            .anyMatch(name -> !Progress.hasProgressed(lately, name));
  }

  /** Stops all workers; returns violations for those that died or do not end. */
  List<Violation> finish() throws InterruptedException {
    workers.forEach(Worker::stop);
    long endNs = System.nanoTime() + LIMIT.multipliedBy(2).toNanos();
    for (Thread thread : threads.values()) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
    }
    List<Violation> violations = new ArrayList<>(failures);
    threads.forEach(
        (name, thread) -> {
          if (thread.isAlive()) {
            violations.add(new Violation(ViolationKind.STUCK, name + " does not stop"));
          }
        });
    return violations;
  }

  @Override
  public void close() {
    workers.forEach(Worker::stop);
    threads.values().forEach(Thread::interrupt);
    Closing.all(clients.toArray(AutoCloseable[]::new));
  }
}
