package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;

import io.entroq.api.Durability;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.disk.SimulatedDisk;
import org.junit.jupiter.api.Test;

class DiskUseWatchTest {
  private final SimulatedDisk disk = new SimulatedDisk();
  private final DiskUseWatch watch =
      new DiskUseWatch(
          disk,
          new SnapshotWatch(disk),
          new Ledger(LedgerConfig.of(Durability.DISK, true)),
          1 << 20);

  private void write(int snapshot) {
    disk.write(
        EngineHost.DIRECTORY + "/snapshots/snapshot-%020d/state".formatted(snapshot), new byte[1]);
  }

  private static SnapshotStats taken(int count) {
    return new SnapshotStats(count, 0, count, 1, 0, 0, 0, 0);
  }

  @Test
  void shouldRequireTwoSnapshotsOnceTwoWereTaken() {
    watch.onOpening();
    write(1);
    watch.onMaintenance(taken(1));
    assertBroken(Invariant.TWO_SNAPSHOTS_KEPT, () -> watch.onMaintenance(taken(2)));
    write(2);
    watch.onMaintenance(taken(3));
  }
}
