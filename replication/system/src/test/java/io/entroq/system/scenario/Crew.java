package io.entroq.system.scenario;

import io.entroq.api.EntroQ;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.Closing;
import io.entroq.system.load.Caller;
import io.entroq.system.load.Recorder;
import io.entroq.system.load.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Workers in threads of this process, each with a client of its own. For one thread. */
final class Crew implements AutoCloseable {
  /** How long a call is tried for. */
  static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

  /** How long anything may take, however slow the machine is. */
  static final Duration PATIENCE = CALL_TIMEOUT.plusSeconds(30);

  private static final int WORKERS = 4;
  private static final Duration PACE = Duration.ofMillis(10);
  private static final Duration LEASE_MAX = Duration.ofSeconds(4);

  private final List<EntroQ> clients = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private Crew() {}

  /** Sets workers to work, each at another member first. */
  static Crew start(List<String> servers, Recorder recorder, long seed) {
    Crew crew = new Crew();
    try {
      for (int i = 0; i < WORKERS; i++) {
        List<String> order = new ArrayList<>(servers);
        Collections.rotate(order, i);
        EntroQ client = connect(order);
        crew.clients.add(client);
        Caller caller = new Caller("w" + i, client, recorder, PATIENCE);
        Worker worker = new Worker(caller, seed + i, PACE, LEASE_MAX);
        crew.workers.add(worker);
        crew.threads.add(new Thread(worker, "worker " + i));
      }
      crew.threads.forEach(Thread::start);
      return crew;
    } catch (Throwable t) {
      Closing.after(t, crew);
      throw t;
    }
  }

  /** A client of several members. */
  static EntroQ connect(List<String> servers) {
    return EntroQClient.connect(
        ClientConfig.to(servers.toArray(String[]::new))
            .connectTimeout(CALL_TIMEOUT)
            .callTimeout(CALL_TIMEOUT)
            .build());
  }

  /** Ends all work; false if somebody does not end. */
  boolean finish() throws InterruptedException {
    workers.forEach(Worker::stop);
    long endNs = System.nanoTime() + PATIENCE.multipliedBy(2).toNanos();
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }

  @Override
  public void close() {
    workers.forEach(Worker::stop);
    threads.forEach(Thread::interrupt);
    Closing.all(clients.toArray(AutoCloseable[]::new));
  }
}
