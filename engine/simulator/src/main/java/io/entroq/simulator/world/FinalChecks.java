package io.entroq.simulator.world;

import io.entroq.simulator.call.ServingSystem;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.client.Population;
import io.entroq.simulator.client.worker.Audit;
import io.entroq.simulator.client.worker.FinalTask;
import io.entroq.simulator.client.worker.Workers;
import io.entroq.simulator.fault.Trouble;
import io.entroq.simulator.virtual.EventQueue;

/**
 * The end of a world, without new work and faults: work in progress ends, no request stays
 * unanswered, and new requests are served. One thread, one use.
 */
final class FinalChecks {
  private static final long SECOND = 1_000_000_000L;

  /** How long work in progress may take. */
  private static final long REST_NS = 300 * SECOND;

  private static final long CLOSING_NS = 60 * SECOND;
  private static final long RESTART_NS = 60 * SECOND;
  private static final long SERVICE_NS = 60 * SECOND;

  /** From {@link #begin} to {@link #end}. */
  static final long LASTS_NS = REST_NS + CLOSING_NS + RESTART_NS + SERVICE_NS;

  private final EventQueue events;
  private final ServingSystem system;
  private final Ledger ledger;
  private final Trouble trouble;
  private final Population population;
  private final Workers workers;
  private final FinalTask last;
  private final Audit audit;

  FinalChecks(EventQueue events, Served served, Population population, Workers workers) {
    this.events = events;
    this.system = served.system();
    this.ledger = served.ledger();
    this.trouble = served.trouble();
    this.population = population;
    this.workers = workers;
    this.last = workers.lastTask();
    this.audit = workers.audit();
  }

  void begin() {
    population.stop();
    workers.stop();
    trouble.end();
    events.in(REST_NS, workers::close);
    events.in(REST_NS + CLOSING_NS, this::restart);
    events.in(REST_NS + CLOSING_NS + RESTART_NS, this::useOnce);
  }

  private void restart() {
    workers.requireAtRest();
    system.requireAtRest();
    // Until it restarts, the engine may still refuse requests for lack of memory.
    population.requireAnswered();
    system.count();
    system.restart();
  }

  /**
   * The restart has ended the waiting claims of dead clients and freed unused memory, so even the
   * largest task that was refused is now accepted.
   */
  private void useOnce() {
    system.requireAtRest();
    population.requireAtRest();
    int waiting = ledger.parkedCount();
    if (waiting > 0) {
      throw Invariant.ALL_ANSWERED.broken("parked claims", "none, as no client is left", waiting);
    }
    last.start();
    audit.start();
  }

  void end() {
    last.requireOver();
    audit.requireOver();
    system.requireAtRest();
    system.count();
    ledger.end();
  }
}
