package io.entroq.simulator.world;

import io.entroq.api.Durability;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.client.Population;
import io.entroq.simulator.client.PopulationConfig;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.model.Violation;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.replica.Cluster;
import io.entroq.simulator.replica.ClusterTrouble;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.util.List;
import java.util.Optional;

/**
 * Clients, a network, a cluster, and what watches them: goes on from event to event until its time
 * is over or something is wrong. One thread, one use.
 */
final class ReplicatedWorld {
  private static final int STEPS_PER_COUNT = 10_000;
  private static final int COMMANDS_TOLD = 20;
  private static final double NS_PER_HOUR = 3.6e12;

  /** How long after the end everything that is under way may take. */
  private static final long AFTERMATH_NS = 120_000_000_000L;

  private final WorldConfig config;
  private final Agenda agenda = new Agenda();
  private final Trace trace = new Trace();
  private final Faults faults;
  private final Ledger ledger;
  private final Cluster cluster;
  private final Population population;
  private final ClusterTrouble trouble;
  private long steps;
  private boolean isStopped;

  ReplicatedWorld(WorldConfig config) {
    this.config = config;
    Chance chance = new Chance(config.seed());
    faults = new Faults(config.faults());
    ledger = new Ledger(LedgerConfig.of(Durability.OS, false).withTimePassingInRecords());
    cluster =
        new Cluster(
            config.members(),
            agenda,
            chance.fork("cluster"),
            faults,
            ledger,
            trace,
            this::onCallersGone);
    Network network =
        new Network(agenda, chance.fork("network"), faults, NetworkConfig.ordinary(), cluster);
    population =
        new Population(
            new PopulationConfig(
                config.clients(), config.requestsPerSecond(), HostClock.START_MS, 2_000),
            agenda,
            chance.fork("clients"),
            faults,
            network,
            trace);
    trouble = new ClusterTrouble(agenda, chance.fork("trouble"), cluster, faults);
  }

  private void onCallersGone() {
    population.onEngineOpened();
  }

  /** Runs to the end, or to the first thing that is wrong. */
  SimulationReport run(ProgressListener listener) {
    Failure failure = null;
    try {
      cluster.open();
      population.start();
      trouble.start();
      stepUntil(config.endNs(), listener);
      if (!isStopped) {
        finish(listener);
      }
    } catch (Violation e) {
      failure = failure(e.rule(), e.subject(), e.difference(), e);
    } catch (RuntimeException | Error e) {
      failure = failure("world-does-not-break", "@", e.toString(), e);
    } finally {
      cluster.switchOff();
    }
    return report(Optional.ofNullable(failure));
  }

  private void stepUntil(long endNs, ProgressListener listener) {
    while (!isStopped && agenda.nextNs() <= endNs) {
      agenda.step();
      trace.add(agenda.nowNs());
      steps++;
      if (steps % STEPS_PER_COUNT == 0) {
        cluster.count();
        isStopped = !listener.onProgress(report(Optional.empty()));
      }
    }
  }

  /** Nothing new is begun; what is under way comes to its end, and all members become equal. */
  private void finish(ProgressListener listener) {
    population.stop();
    trouble.end();
    stepUntil(agenda.nowNs() + AFTERMATH_NS, listener);
    if (isStopped) {
      return;
    }
    cluster.requireAllCurrent();
    cluster.count();
    ledger.end();
  }

  private Failure failure(String rule, String subject, String detail, Throwable cause) {
    List<String> commands = ledger.lastCommands(COMMANDS_TOLD);
    return new Failure(steps, agenda.nowNs(), rule, subject, detail, commands, cause);
  }

  private SimulationReport report(Optional<Failure> failure) {
    return new SimulationReport(
        config,
        Math.min(config.endNs(), agenda.nowNs()) / NS_PER_HOUR,
        steps,
        population.figures().requests(),
        population.figures().commits(),
        faults.counts(),
        trace.hex(),
        failure);
  }
}
