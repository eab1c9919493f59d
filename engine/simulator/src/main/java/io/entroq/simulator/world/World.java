package io.entroq.simulator.world;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.client.Population;
import io.entroq.simulator.client.PopulationConfig;
import io.entroq.simulator.client.worker.Workers;
import io.entroq.simulator.client.worker.WorkersConfig;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.host.EngineHost;
import io.entroq.simulator.host.EngineLimits;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.host.LifeListener;
import io.entroq.simulator.host.Trouble;
import io.entroq.simulator.model.Violation;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.util.List;
import java.util.Optional;

/**
 * Clients, a network, an engine on a machine, and what watches them: goes on from event to event
 * until its time is over or something is wrong. One thread, one use.
 */
final class World implements LifeListener {
  private static final int STEPS_PER_COUNT = 10_000;
  private static final int COMMANDS_TOLD = 20;
  private static final long RECORDS_KEPT = 50_000;

  /** One request in so many comes from workers that decide as real ones do. */
  private static final int WORKERS_SHARE = 6;

  private static final double NS_PER_HOUR = 3.6e12;

  /** How long after the end everything that is under way may take. */
  private static final long AFTERMATH_NS = 300_000_000_000L;

  private final WorldConfig config;
  private final Agenda agenda = new Agenda();
  private final Trace trace = new Trace();
  private final Faults faults;
  private final Ledger ledger;
  private final EngineHost host;
  private final Population population;
  private final Workers workers;
  private final Trouble trouble;
  private long steps;
  private boolean isStopped;

  World(WorldConfig config) {
    this.config = config;
    Chance chance = new Chance(config.seed());
    faults = new Faults(config.faults());
    EngineLimits limits = EngineLimits.of(chance.fork("limits"));
    SimulatedDisk disk = new SimulatedDisk();
    HostClock clock = new HostClock(agenda);
    ledger = new Ledger(LedgerConfig.of(config.durability(), true).withRecordsKept(RECORDS_KEPT));
    host =
        new EngineHost(
            agenda,
            chance.fork("host"),
            limits,
            config.durability(),
            disk,
            clock,
            faults,
            ledger,
            trace,
            this);
    Network network =
        new Network(agenda, chance.fork("network"), faults, NetworkConfig.ordinary(), host);
    int byWorkers = Math.max(1, config.requestsPerSecond() / WORKERS_SHARE);
    int byClients = Math.max(1, config.requestsPerSecond() - byWorkers);
    population =
        new Population(
            new PopulationConfig(config.clients(), byClients, HostClock.START_MS, 2_000),
            agenda,
            chance.fork("clients"),
            faults,
            network,
            trace);
    workers =
        new Workers(
            WorkersConfig.beside(config.clients(), byWorkers, HostClock.START_MS),
            agenda,
            chance.fork("workers"),
            faults,
            network::send,
            trace);
    trouble = new Trouble(agenda, chance.fork("trouble"), host, disk, clock, faults);
  }

  /** Runs to the end, or to the first thing that is wrong. */
  SimulationReport run(ProgressListener listener) {
    Failure failure = null;
    try {
      begin();
      stepUntil(config.endNs(), listener);
      if (!isStopped) {
        finish(listener);
      }
    } catch (Violation e) {
      failure = failure(e.rule(), e.subject(), e.difference(), e);
    } catch (RuntimeException | Error e) {
      failure = failure("world-does-not-break", "@", e.toString(), e);
    } finally {
      host.switchOff();
    }
    return report(Optional.ofNullable(failure));
  }

  private void begin() {
    host.open();
    population.start();
    workers.start();
    trouble.start();
  }

  private void stepUntil(long endNs, ProgressListener listener) {
    while (!isStopped && agenda.nextNs() <= endNs) {
      step(listener);
    }
  }

  private void step(ProgressListener listener) {
    agenda.step();
    trace.add(agenda.nowNs());
    steps++;
    if (steps % STEPS_PER_COUNT == 0) {
      host.count();
      isStopped = !listener.onProgress(report(Optional.empty()));
    }
  }

  /** Nothing new is begun; what is under way comes to its end, and everything is counted. */
  private void finish(ProgressListener listener) {
    population.stop();
    workers.stop();
    trouble.end();
    stepUntil(agenda.nowNs() + AFTERMATH_NS, listener);
    if (isStopped) {
      return;
    }
    if (!host.isUp()) {
      throw Invariant.OPENS_UNDAMAGED.broken(EngineHost.DIRECTORY, "an engine", "none");
    }
    host.count();
    ledger.end();
  }

  @Override
  public void onOpened() {
    population.onEngineOpened();
    workers.onEngineOpened();
  }

  @Override
  public void onLoss() {
    population.onLoss();
    workers.onLoss();
  }

  private Failure failure(String rule, String subject, String detail, Throwable cause) {
    List<String> commands = ledger.lastCommands(subject, COMMANDS_TOLD);
    return new Failure(steps, agenda.nowNs(), rule, subject, detail, commands, cause);
  }

  private SimulationReport report(Optional<Failure> failure) {
    return new SimulationReport(
        config,
        Math.min(config.endNs(), agenda.nowNs()) / NS_PER_HOUR,
        steps,
        population.figures().requests() + workers.requests(),
        population.figures().commits(),
        faults.counts(),
        trace.hex(),
        failure);
  }
}
