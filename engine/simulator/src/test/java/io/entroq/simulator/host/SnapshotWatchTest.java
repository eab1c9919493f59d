package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;

import io.entroq.engine.log.SegmentLayout;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotWatchTest {
  private static final String SEGMENT = "/segment";
  private static final int RECORD_BYTES = 64;
  private static final int OFFSET = SegmentLayout.FIRST_RECORD_OFFSET;

  private final SimulatedDisk disk = new SimulatedDisk();
  private final SnapshotWatch snapshots = new SnapshotWatch(disk);
  private final RecordEnds ends = new RecordEnds();

  /** A log of one record, and a snapshot at that. */
  @BeforeEach
  void write() {
    disk.write(SEGMENT, new byte[OFFSET + RECORD_BYTES]);
    ends.add(Path.of(SEGMENT), 1, OFFSET, RECORD_BYTES);
    disk.write(EngineHost.DIRECTORY + "/snapshots/snapshot-%020d/state".formatted(1), new byte[1]);
  }

  private void writeUnforced() throws IOException {
    DiskProcess process = disk.startProcess();
    try (FileChannel channel = FileChannel.open(process.path(SEGMENT), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), OFFSET);
    }
    process.die();
  }

  @Test
  void shouldAcceptASnapshotWhoseLogIsOnTheDisk() {
    snapshots.onMaintenance(ends);
  }

  @Test
  void shouldNotAcceptASnapshotWhoseLogIsInMemoryOnly() throws IOException {
    writeUnforced();

    assertBroken(Invariant.SNAPSHOT_RESTS_ON_LOG, () -> snapshots.onMaintenance(ends));
  }
}
