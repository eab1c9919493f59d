package io.entroq.simulator.client;

import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;

/**
 * The clients of a world. They send requests at a steady rate, whatever comes of them, and throw a
 * {@link io.entroq.simulator.model.Violation} out of the event in which one of them sees that a
 * rule is broken. One thread.
 */
public final class Population implements Agenda.Event {
  private static final long NS_PER_SECOND = 1_000_000_000L;

  /** Turns are taken two at a time, which saves every other event. */
  private static final int TURNS = 2;

  /** So many turns are made up for after a time in which none could be taken. */
  private static final long BACKLOG_MAX = 100;

  private final Commons commons;
  private final Chance chance;
  private final Tide tide;
  private final Pool producers = new Pool();
  private final Pool workers = new Pool();
  private final long gapNs;
  private long credit;
  private long seenRequests;
  private boolean isStopped;

  /**
   * Clients that do nothing yet.
   *
   * @param network carries what they send
   * @param trace hears of every request and every reply
   */
  public Population(
      PopulationConfig config,
      Agenda agenda,
      Chance chance,
      Faults faults,
      Network network,
      Trace trace) {
    this.commons = new Commons(config, agenda, chance, faults, network, trace);
    this.chance = chance.fork("turns");
    this.tide = new Tide(agenda, chance.fork("tide"), config.openTasksMax());
    this.gapNs = TURNS * NS_PER_SECOND / config.requestsPerSecond();
    for (int i = 0; i < config.clients(); i++) {
      settle(i, chance.fork("client", i));
    }
  }

  private void settle(int index, Chance own) {
    boolean isIdentified = !own.oneIn(4);
    boolean isV0 = own.oneIn(10);
    if (index % 4 == 0) {
      new Producer(commons, own, index, isIdentified, isV0).join(producers);
    } else {
      new Worker(commons, own, index, isIdentified, isV0).join(workers);
    }
  }

  /** Begins to send requests. */
  public void start() {
    isStopped = false;
    commons.agenda.in(gapNs, this);
  }

  /** From now on nothing new is begun; what is under way comes to its end. */
  public void stop() {
    isStopped = true;
  }

  @Override
  public void happen() {
    if (isStopped) {
      return;
    }
    credit = Math.min(credit + TURNS, BACKLOG_MAX);
    spend();
    for (int tries = 0; credit > 0 && tries < 2 * TURNS; tries++) {
      Pool pool = next();
      if (!pool.isEmpty()) {
        pool.any(chance).turn();
        spend();
      }
    }
    commons.agenda.in(gapNs / 2 + chance.between(0, gapNs), this);
  }

  /** Takes off what was sent since, whoever's turn it was. */
  private void spend() {
    long requests = commons.figures.requests();
    credit -= requests - seenRequests;
    seenRequests = requests;
  }

  private Pool next() {
    if (tide.isEbb()) {
      return workers;
    }
    int producing = tide.producingPerMille(commons.figures.openTasks());
    Pool wanted = chance.permille(producing) ? producers : workers;
    return wanted.isEmpty() && wanted == workers ? producers : wanted;
  }

  /** What they have done. */
  public Figures figures() {
    return commons.figures;
  }

  /**
   * An engine has been opened on what another one left: claims whose replies had not arrived were
   * given back, and those that waited were cancelled.
   */
  public void onEngineOpened() {
    commons.opened();
  }

  /**
   * What the engine had answered is lost, as its level of durability allows: nothing that clients
   * know binds it any more.
   */
  public void onLoss() {
    commons.lost();
  }
}
