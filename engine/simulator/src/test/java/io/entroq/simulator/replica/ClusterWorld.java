package io.entroq.simulator.replica;

import io.entroq.api.Durability;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.client.Population;
import io.entroq.simulator.client.PopulationConfig;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.host.LifeListener;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.Set;

/** Three members with a reader of the log from a test, and clients; no random faults. */
final class ClusterWorld implements LifeListener, AutoCloseable {
  private static final long SECOND = 1_000_000_000;

  private final EventQueue events = new EventQueue();
  private final Faults faults = new Faults(Set.of());
  private final Cluster cluster;
  private final Population population;

  ClusterWorld(long seed, LogReader reader) {
    SeededRandom random = new SeededRandom(seed);
    Trace trace = new Trace();
    LedgerConfig config = LedgerConfig.of(Durability.OS, false);
    cluster =
        new Cluster(
            3, events, random.fork("cluster"), faults, new Ledger(config), trace, this, reader);
    Network network =
        new Network(events, random.fork("network"), faults, NetworkConfig.ordinary(), cluster);
    population =
        new Population(
            new PopulationConfig(60, 15, HostClock.START_MS, 2_000),
            events,
            random.fork("clients"),
            faults,
            network,
            trace);
    cluster.open();
    population.start();
  }

  @Override
  public void onOpened() {
    population.onEngineOpened();
  }

  @Override
  public void onLoss() {
    throw new IllegalStateException("a cluster loses nothing");
  }

  @Override
  public void onTimeLeap() {
    // Its clients check no leases by time.
  }

  Faults faults() {
    return faults;
  }

  Cluster cluster() {
    return cluster;
  }

  void run(long seconds) {
    long endNs = events.nowNs() + seconds * SECOND;
    while (events.nextNs() <= endNs) {
      events.step();
    }
  }

  @Override
  public void close() {
    cluster.switchOff();
  }
}
