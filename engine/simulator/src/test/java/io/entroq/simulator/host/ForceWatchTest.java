package io.entroq.simulator.host;

import static io.entroq.engine.log.SegmentLayout.FIRST_RECORD_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ForceWatchTest {
  private static final int RECORD_BYTES = 100;

  private final SimulatedDisk disk = new SimulatedDisk();
  private final RecordEnds ends = new RecordEnds();
  private final ForceWatch watch = new ForceWatch(disk, ends);
  private final Path file = disk.startProcess().path("/segment");

  /** Record 1 is on the disk, and 2 in memory. */
  @BeforeEach
  void writeTwoRecords() throws IOException {
    try (FileChannel root = FileChannel.open(file.getParent(), StandardOpenOption.READ);
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(FIRST_RECORD_OFFSET + RECORD_BYTES));
      channel.force(true);
      root.force(true);
      channel.write(ByteBuffer.allocate(RECORD_BYTES));
    }
    ends.add(file, 1, FIRST_RECORD_OFFSET, RECORD_BYTES);
    ends.add(file, 2, FIRST_RECORD_OFFSET + RECORD_BYTES, RECORD_BYTES);
  }

  @Test
  void shouldNotBelieveThatARecordIsForcedWhichIsInMemoryOnly() {
    watch.onForced(1);

    assertThatThrownBy(() -> watch.onForced(2))
        .isInstanceOfSatisfying(
            Violation.class,
            each -> assertThat(each.rule()).isEqualTo(Invariant.FORCED_ON_DISK.label()));
  }

  @Test
  void shouldNotBlameAnEngineForADiskThatLies() {
    disk.lie(true);

    watch.onForced(2);
  }
}
