package io.entroq.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PowerSupplyTest {
  private static final long FORCED = 7;
  private static final long FORCED_SINCE = 9;

  /** A seed with which the disk loses some data that it lied about. */
  private static final long LOSING_SEED = 4;

  private final SimulatedDisk disk = new SimulatedDisk();
  private final SnapshotWatch snapshots = new SnapshotWatch(disk);
  private final ForceWatch forces = new ForceWatch(disk, new RecordEnds());
  private final Ledger ledger = new Ledger(LedgerConfig.of(Durability.DISK, true));
  private final LogProgress progress = new LogProgress(disk);
  private final PowerSupply power =
      new PowerSupply(
          disk,
          new SeededRandom(LOSING_SEED),
          snapshots,
          progress,
          forces,
          new EngineObserver(ledger, new Trace(), forces));
  private Incident incident;

  @BeforeEach
  void begin() {
    progress.onFound(FORCED_SINCE);
    incident = new Incident(disk, snapshots, progress, false);
  }

  /** A process writes and forces, as far as it knows. */
  private void force() throws IOException {
    DiskProcess process = disk.startProcess();
    try (FileChannel channel =
        FileChannel.open(
            process.path("/file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(8 * 4_096));
      channel.force(true);
    }
    process.die();
  }

  private void requireFound(long sequence) {
    incident.requireFound(sequence);
  }

  @Test
  void shouldExcuseOnlyWhatIsForcedSinceTheDiskBeganToLie() throws IOException {
    power.lie(FORCED);
    power.lie(FORCED_SINCE);
    force();

    assertThat(power.fail(incident).isPromiseBroken()).isTrue();
    requireFound(FORCED);
    assertThatThrownBy(() -> requireFound(FORCED - 1)).isInstanceOf(Violation.class);
  }

  @Test
  void shouldExcuseNothingOnceTheDiskKeepsWhatItSays() throws IOException {
    power.lie(FORCED);
    power.endLie();
    force();

    assertThat(power.fail(incident).isPromiseBroken()).isFalse();
    assertThatThrownBy(() -> requireFound(FORCED_SINCE - 1)).isInstanceOf(Violation.class);
  }
}
