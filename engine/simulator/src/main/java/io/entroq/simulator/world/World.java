package io.entroq.simulator.world;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.client.Population;
import io.entroq.simulator.client.PopulationConfig;
import io.entroq.simulator.client.worker.Workers;
import io.entroq.simulator.client.worker.WorkersConfig;
import io.entroq.simulator.coverage.RuleCounts;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.host.LifeListener;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Clients, a network, an engine or the members of a cluster, and their observers. Runs event by
 * event until its time is over or an invariant is violated. One thread, one use.
 */
final class World implements LifeListener {
  private static final int STEPS_PER_COUNT = 10_000;
  private static final int COMMANDS_TOLD = 20;
  private static final int OPEN_TASKS_MAX = 2_000;

  /** One request in so many comes from workers that run the decisions of real ones. */
  private static final int WORKERS_SHARE = 6;

  private static final double NS_PER_HOUR = 3.6e12;

  private final WorldContext setting;
  private final Served served;
  private final Population population;
  private final Workers workers;
  private long steps;
  private boolean isStopped;

  World(WorldConfig config) {
    this(config, Served::of);
  }

  /**
   * @param maker makes what serves the clients and reports its lives to the listener
   */
  World(WorldConfig config, BiFunction<WorldContext, LifeListener, Served> maker) {
    setting = new WorldContext(config);
    served = maker.apply(setting, this);
    Network network =
        new Network(
            setting.events,
            setting.random.fork("network"),
            setting.faults,
            NetworkConfig.ordinary(),
            served.system());
    int byWorkers = Math.max(1, config.requestsPerSecond() / WORKERS_SHARE);
    int byClients = Math.max(1, config.requestsPerSecond() - byWorkers);
    population =
        new Population(
            new PopulationConfig(
                config.clients(), byClients, HostClock.START_MS, OPEN_TASKS_MAX, true),
            setting.events,
            setting.random.fork("clients"),
            setting.faults,
            network,
            setting.trace);
    workers =
        new Workers(
            WorkersConfig.beside(config.clients(), byWorkers, HostClock.START_MS),
            setting.events,
            setting.random.fork("workers"),
            setting.faults,
            network::send,
            setting.trace,
            served.ledger()::logTimeMs);
  }

  /** Runs to the end or to the first violation. */
  SimulationReport run(ProgressListener listener) {
    Failure failure = null;
    try {
      begin();
      stepUntil(setting.config.endNs(), listener);
      if (!isStopped) {
        finish(listener);
      }
    } catch (Violation e) {
      failure = failure(e.rule(), e.subject(), e.difference(), e);
    } catch (RuntimeException | Error e) {
      failure = failure(Invariant.WORLD_DOES_NOT_BREAK.label(), "@", e.toString(), e);
    } finally {
      served.system().switchOff();
    }
    return report(Optional.ofNullable(failure));
  }

  private void begin() {
    served.system().open();
    population.start();
    workers.start();
    served.trouble().start();
  }

  private void stepUntil(long endNs, ProgressListener listener) {
    while (!isStopped && setting.events.nextNs() <= endNs) {
      step(listener);
    }
  }

  private void step(ProgressListener listener) {
    setting.events.step();
    setting.trace.add(setting.events.nowNs());
    steps++;
    if (steps % STEPS_PER_COUNT == 0) {
      served.system().count();
      isStopped = !listener.onProgress(report(Optional.empty()));
    }
  }

  private void finish(ProgressListener listener) {
    FinalChecks finalChecks = new FinalChecks(setting.events, served, population, workers);
    finalChecks.begin();
    stepUntil(setting.events.nowNs() + FinalChecks.LASTS_NS, listener);
    if (!isStopped) {
      finalChecks.end();
    }
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

  @Override
  public void onTimeLeap() {
    workers.onTimeLeap();
  }

  /** How often each rule of the protocol has decided so far. */
  RuleCounts ruleCounts() {
    return served.ledger().ruleCounts();
  }

  Faults faults() {
    return setting.faults;
  }

  private Failure failure(String rule, String subject, String detail, Throwable cause) {
    List<String> commands = served.ledger().lastCommands(subject, COMMANDS_TOLD);
    return new Failure(steps, setting.events.nowNs(), rule, subject, detail, commands, cause);
  }

  private SimulationReport report(Optional<Failure> failure) {
    return new SimulationReport(
        setting.config,
        Math.min(setting.config.endNs(), setting.events.nowNs()) / NS_PER_HOUR,
        steps,
        population.stats().requests() + workers.requests(),
        population.stats().commits() + workers.commits(),
        setting.faults.counts(),
        setting.trace.hex(),
        failure);
  }
}
