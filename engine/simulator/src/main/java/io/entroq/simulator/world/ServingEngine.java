package io.entroq.simulator.world;

import io.entroq.simulator.call.Service;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.host.EngineHost;
import io.entroq.simulator.host.EngineLimits;
import io.entroq.simulator.host.EngineTrouble;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.host.LifeListener;

/** An engine with a log of its own, on a machine. */
final class ServingEngine implements ServingSystem {
  private static final long RECORDS_KEPT = 50_000;

  private final Ledger ledger;
  private final EngineHost host;
  private final EngineTrouble trouble;

  ServingEngine(WorldContext setting, LifeListener listener) {
    SimulatedDisk disk = new SimulatedDisk();
    HostClock clock = new HostClock(setting.events);
    LedgerConfig config = LedgerConfig.of(setting.config.durability(), true);
    ledger = new Ledger(config.withRecordsKept(RECORDS_KEPT));
    host =
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
    trouble =
        new EngineTrouble(
            setting.events, setting.random.fork("trouble"), host, disk, clock, setting.faults);
  }

  @Override
  public Service service() {
    return host;
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public void open() {
    host.open();
  }

  @Override
  public void startTrouble() {
    trouble.start();
  }

  @Override
  public void endTrouble() {
    trouble.end();
  }

  @Override
  public void count() {
    host.count();
  }

  @Override
  public void requireAtRest() {
    host.requireAtRest();
  }

  @Override
  public void restart() {
    host.close();
  }

  @Override
  public void switchOff() {
    host.switchOff();
  }
}
