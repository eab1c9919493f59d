package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.log.ForceStats;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.time.ClockStats;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FreeSpaceWatchTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final EngineLimits limits = EngineLimits.of(new SeededRandom(1));
  private final FreeSpaceWatch freeSpace = new FreeSpaceWatch(limits);
  private final long plentyBytes = 3 * limits.diskLowBytes();

  /** Five commands are refused while there is little space; then space is freed. */
  @BeforeEach
  void refuse() {
    freeSpace.changed(0);
    freeSpace.check(true, 0, SECOND_NS, limits.diskFullBytes());
    freeSpace.check(false, 5, 2 * SECOND_NS, limits.diskFullBytes());
    freeSpace.changed(3 * SECOND_NS);
  }

  @Test
  void shouldNotAcceptRefusalsLongAfterThereIsRoomAgain() {
    freeSpace.check(false, 6, 4 * SECOND_NS, plentyBytes);

    assertBroken(
        Invariant.GOES_ON_WITH_ROOM, () -> freeSpace.check(false, 7, 5 * SECOND_NS, plentyBytes));
  }

  @Test
  void shouldAcceptThatRefusalsEndASecondAfterThereIsRoomAgain() {
    freeSpace.check(false, 6, 4 * SECOND_NS, plentyBytes);
    freeSpace.check(false, 6, 5 * SECOND_NS, plentyBytes);
    freeSpace.check(false, 6, 60 * SECOND_NS, plentyBytes);
  }

  @Test
  void shouldAcceptRefusalsWhileThereIsLittleRoom() {
    freeSpace.check(false, 6, 4 * SECOND_NS, limits.diskLowBytes());
    freeSpace.check(false, 7, 5 * SECOND_NS, limits.diskLowBytes());
  }

  @Test
  void shouldCountAnewInANewLife() {
    freeSpace.check(false, 6, 4 * SECOND_NS, plentyBytes);
    freeSpace.check(true, 0, 5 * SECOND_NS, plentyBytes);
    freeSpace.check(false, 0, 6 * SECOND_NS, plentyBytes);
  }

  @Test
  void shouldNotAcceptARecordOfACallerWhereThereIsNoRoomForIt() {
    UnsafeBuffer record = new UnsafeBuffer(new byte[2 * RecordFrame.HEADER_BYTES]);
    int crc = new Crc32c().of(record, 0, 0);
    RecordFrame frame = new RecordFrame();
    frame.write(record, 0, RecordType.CLAIM, 7, 6, 1_000, 1, crc, record, 0, 0);
    assertThat(frame.check(record, 0, record.capacity())).isEqualTo(RecordFault.NONE);

    freeSpace.onRecord(frame, record, 60 * SECOND_NS, plentyBytes);
    assertBroken(Invariant.LEAVES_ROOM, () -> freeSpace.onRecord(frame, record, 60 * SECOND_NS, 0));
  }

  @Test
  void shouldNotAcceptARefusalWhereThereIsRoom() {
    Request claim = new Request(0, RecordType.CLAIM, new UnsafeBuffer(0, 0), (sent, reply) -> {});
    EngineStats counters =
        new EngineStats(
            plentyBytes,
            false,
            false,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            SnapshotStats.NONE,
            ForceStats.NONE,
            ClockStats.NONE);

    assertBroken(
        Invariant.REFUSED_FOR_A_REASON,
        () -> freeSpace.onRefused(claim, counters, 0, 60 * SECOND_NS, plentyBytes));
  }
}
