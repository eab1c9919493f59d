package io.entroq.perf.peers.cycle;

import io.entroq.perf.peers.peer.Session;
import io.entroq.perf.peers.peer.TaskQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;

/**
 * One caller of a measurement: inserts, claims and commits, one step after the other. What it
 * claims may have been inserted by others, and the other way round; it goes on claiming until it
 * has committed about as many tasks as it has inserted.
 */
final class Caller implements Callable<Void> {
  private static final long HIGHEST_NS = 60_000_000_000L;

  private final Histogram cycleNs = new Histogram(HIGHEST_NS, 3);
  private final TaskQueue queue;
  private final Window window;
  private final int batch;
  private final Payload payload;
  private final Ledger ledger;
  private long counted;

  Caller(TaskQueue queue, Window window, int batch, Payload payload, Ledger ledger) {
    this.queue = queue;
    this.window = window;
    this.batch = batch;
    this.payload = payload;
    this.ledger = ledger;
  }

  /** How many tasks it committed while it counted. After the call only. */
  long counted() {
    return counted;
  }

  /** How long cycles took that ended while it counted. After the call only. */
  Histogram cycleNs() {
    return cycleNs;
  }

  @Override
  @SuppressWarnings("try")
  public Void call() throws Exception {
    try (Session session = queue.open()) {
      window.awaitBegin();
      while (!window.isOver()) {
        cycle(session);
      }
      window.insertedAll(ledger.debt());
      while (!window.isDrained()) {
        window.drained(claimAndCommit(session));
      }
    } catch (Throwable t) {
      window.giveUp();
      throw t;
    }
    return null;
  }

  private void cycle(Session session) throws Exception {
    long startNs = System.nanoTime();
    session.insert(nextValues());
    do {
      int committed = claimAndCommit(session);
      counted += window.counts(System.nanoTime()) ? committed : 0;
    } while (ledger.debt() >= batch && !window.isOver());
    long endNs = System.nanoTime();
    if (window.counts(endNs)) {
      cycleNs.recordValue(Math.min(endNs - startNs, HIGHEST_NS));
    }
  }

  private List<byte[]> nextValues() {
    List<byte[]> values = new ArrayList<>(batch);
    for (int i = 0; i < batch; i++) {
      values.add(payload.encode(ledger.nextNumber()));
    }
    return values;
  }

  private int claimAndCommit(Session session) throws Exception {
    List<byte[]> values = session.claim(batch);
    if (!values.isEmpty()) {
      session.commit();
      values.forEach(value -> ledger.committed(payload.decode(value)));
    }
    return values.size();
  }
}
