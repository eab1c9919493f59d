package io.entroq.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.RecordType;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.SegmentedLog;
import io.entroq.engine.log.retention.LogRetention;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class SimulatedRunTest {
  private static final int TAG = 77;
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(4 << 10).withReserveBytes(0);

  private final SimulatedDisk disk = new SimulatedDisk();
  private final List<Integer> lengths = new ArrayList<>();
  private DiskProcess process;
  private LogDirectory directory;
  private SegmentedLog log;

  private void open() {
    process = disk.startProcess();
    directory = LogDirectory.open(process.path("/data"));
    int last = lengths.size();
    log = SegmentedLog.open(directory, process.runs(), CONFIG, FaultHook.NONE, TAG, last, last);
  }

  private void append(int length) {
    byte[] payload = new byte[length];
    for (int i = 0; i < length; i++) {
      payload[i] = (byte) (i + lengths.size());
    }
    CRC32C crc = new CRC32C();
    crc.update(payload);
    int type = lengths.isEmpty() ? RecordType.GENESIS : RecordType.TICK;
    log.append(
        type,
        lengths.size() + 1,
        1_000,
        (int) crc.getValue(),
        new UnsafeBuffer(payload),
        0,
        length);
    lengths.add(length);
  }

  /** Checks every record and returns their number. */
  private int scan(HolePolicy policy) {
    int[] count = {0};
    LogDirectory read = LogDirectory.read(disk.startProcess().path("/data"));
    ScanReport report =
        new LogScanner(read, policy)
            .scanAfter(
                0,
                0,
                0,
                (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {
                  assertThat(length).isEqualTo(lengths.get(count[0]));
                  count[0]++;
                })
            .requireUndamaged();
    assertThat(report.lastSequence()).isEqualTo(count[0]);
    return count[0];
  }

  @Test
  void shouldBeReadByTheScannerWhenRecordsOfAnyLengthWereAppended() {
    open();
    SeededRandom random = new SeededRandom(1);
    for (int i = 0; i < 200; i++) {
      append(random.below(i % 20 == 0 ? 10_000 : 300));
    }
    assertThat(scan(HolePolicy.REFUSE)).isEqualTo(200);
    log.force();
    log.close();
    directory.close();

    assertThat(scan(HolePolicy.REFUSE)).isEqualTo(200);
    assertThat(disk.files(path -> path.endsWith(SegmentLayout.SUFFIX)).size()).isGreaterThan(10);
    assertThat(disk.files(path -> path.endsWith("/closed"))).hasSize(1);
  }

  @Test
  void shouldHoldWhatWasAppendedWhenTheProcessDiesBeforeARecord() {
    open();
    append(100);
    append(100);
    disk.faults().dieIn(1, false);

    assertThatThrownBy(() -> append(100)).hasRootCauseInstanceOf(SimulatedDeath.class);

    assertThat(process.isAlive()).isFalse();
    assertThat(scan(HolePolicy.REFUSE)).isEqualTo(2);
  }

  @Test
  void shouldLeaveATornRecordWhenTheProcessDiesInTheMiddleOfIt() {
    open();
    append(100);
    append(100);
    byte[] before = segment();
    disk.faults().dieIn(1, true);

    assertThatThrownBy(() -> append(500)).hasRootCauseInstanceOf(SimulatedDeath.class);

    assertThat(segment()).isNotEqualTo(before);
    assertThat(scan(HolePolicy.REFUSE)).isEqualTo(2);
  }

  private byte[] segment() {
    return disk.read(disk.files(path -> path.endsWith(SegmentLayout.SUFFIX)).get(0));
  }

  @Test
  void shouldSayWhyWhenTheDiskIsFullOrFails() {
    open();
    append(100);
    disk.limit(8 << 10);

    assertThatThrownBy(() -> append(5_000))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("No space left on device");
    assertThat(disk.faults().refusals()).isOne();

    process.die();
    disk.limit(Long.MAX_VALUE);
    open();
    disk.faults().failWrites(path -> path.endsWith(SegmentLayout.SUFFIX), 1);
    assertThatThrownBy(() -> append(100)).hasMessageContaining("Input/output error");
  }

  @Test
  void shouldNotBelieveAForceOfNamesThatHasFailedForSomebodyElse() {
    open();
    append(3_000);
    append(3_000);
    log.force();
    disk.faults().failForces(path -> path.endsWith("-00000000000000000001"), 1);
    assertThatThrownBy(() -> new LogRetention(directory).removeBelow(2))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("Input/output error");

    append(3_000);

    assertThatThrownBy(log::force)
        .isInstanceOf(LogException.class)
        .hasMessageContaining("has failed before");
    assertThat(log.forcedSequence()).isEqualTo(2);
    List<String> segments = disk.files(path -> path.endsWith(SegmentLayout.SUFFIX));
    assertThatThrownBy(() -> new LogRetention(directory).removeBelow(3))
        .hasMessageContaining("has failed before");
    assertThat(disk.files(path -> path.endsWith(SegmentLayout.SUFFIX))).isEqualTo(segments);
  }

  @Test
  void shouldTryTheRemovalOfAnOldSegmentAgainWhereNoNewOneComesUp() {
    open();
    append(3_000);
    append(3_000);
    log.force();
    log.close();
    directory.close();
    open();
    append(100);
    disk.faults().failForces(path -> path.endsWith("-00000000000000000001"), 1);
    assertThatThrownBy(() -> new LogRetention(directory).removeBelow(2))
        .hasMessageContaining("Input/output error");

    new LogRetention(directory).removeBelow(3);

    assertThat(disk.files(path -> path.endsWith(SegmentLayout.SUFFIX))).hasSize(1);
    log.force();
  }

  @Test
  void shouldHoldAllThatWasForcedWhenPowerIsLost() {
    for (int seed = 0; seed < 200; seed++) {
      SeededRandom random = new SeededRandom(seed);
      SimulatedRunTest world = new SimulatedRunTest();
      world.open();
      int forced = 0;
      for (int i = random.below(60); i >= 0; i--) {
        world.append(random.below(random.oneIn(10) ? 9_000 : 400));
        if (random.oneIn(8)) {
          world.log.force();
          forced = world.lengths.size();
        }
      }
      world.disk.losePower(random);
      assertThat(world.scan(HolePolicy.CUT_UNFORCED))
          .as("seed %d", seed)
          .isBetween(forced, world.lengths.size());
    }
  }
}
