package io.entroq.simulator.host;

import io.entroq.api.Durability;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.Set;

/** The machine of an engine without clients and faults. */
final class LoneEngine implements LifeListener {
  private static final long SECOND_NS = 1_000_000_000L;

  final EventQueue events = new EventQueue();
  final SimulatedDisk disk = new SimulatedDisk();
  final Ledger ledger = new Ledger(LedgerConfig.of(Durability.DISK, true));
  final EngineHost host =
      new EngineHost(
          events,
          new SeededRandom(1),
          EngineLimits.of(new SeededRandom(2)),
          Durability.DISK,
          disk,
          new HostClock(events),
          new Faults(Set.of()),
          ledger,
          new Trace(),
          this);

  void run(long seconds) {
    long endNs = events.nowNs() + seconds * SECOND_NS;
    while (events.nextNs() <= endNs) {
      events.step();
    }
  }

  @Override
  public void onOpened() {}

  @Override
  public void onLoss() {}

  @Override
  public void onTimeLeap() {}
}
