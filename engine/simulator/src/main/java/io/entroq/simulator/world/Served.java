package io.entroq.simulator.world;

import io.entroq.api.Durability;
import io.entroq.simulator.call.ServingSystem;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.Trouble;
import io.entroq.simulator.host.EngineHost;
import io.entroq.simulator.host.EngineLimits;
import io.entroq.simulator.host.EngineTrouble;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.host.LifeListener;
import io.entroq.simulator.replica.Cluster;
import io.entroq.simulator.replica.ClusterTrouble;

/**
 * What serves the clients of a world, with its observer and its faults.
 *
 * @param ledger checks the system
 * @param trouble injects faults into it
 */
record Served(ServingSystem system, Ledger ledger, Trouble trouble) {
  private static final long RECORDS_KEPT = 50_000;

  /** One engine, or several members that share a log. */
  static Served of(WorldContext setting, LifeListener listener) {
    return setting.config.members() == 1 ? engine(setting, listener) : cluster(setting, listener);
  }

  private static Served engine(WorldContext setting, LifeListener listener) {
    SimulatedDisk disk = new SimulatedDisk();
    HostClock clock = new HostClock(setting.events);
    LedgerConfig config = LedgerConfig.of(setting.config.durability(), true);
    Ledger ledger = new Ledger(config.withRecordsKept(RECORDS_KEPT));
    EngineHost host =
        new EngineHost(
            setting.events,
            setting.random.fork("host"),
            EngineLimits.of(setting.random.fork("limits")),
            setting.config.durability(),
            disk,
            clock,
            setting.faults,
            ledger,
            setting.trace,
            listener);
    Trouble trouble =
        new EngineTrouble(
            setting.events, setting.random.fork("trouble"), host, disk, clock, setting.faults);
    return new Served(host, ledger, trouble);
  }

  private static Served cluster(WorldContext setting, LifeListener listener) {
    Ledger ledger = new Ledger(LedgerConfig.of(Durability.OS, false));
    Cluster cluster =
        new Cluster(
            setting.config.members(),
            setting.events,
            setting.random.fork("cluster"),
            setting.faults,
            ledger,
            setting.trace,
            listener);
    Trouble trouble =
        new ClusterTrouble(setting.events, setting.random.fork("trouble"), cluster, setting.faults);
    return new Served(cluster, ledger, trouble);
  }
}
