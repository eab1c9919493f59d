package io.entroq.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EngineEnvironment;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.time.ManualClock;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The expectation equals what an engine does. */
class RecoveryExpectationTest {
  private static final int RECORDS = 6;

  private final SimulatedDisk disk = new SimulatedDisk();
  private final SeededRandom random = new SeededRandom(1);

  private DrivenEngine open(DiskProcess process, Durability durability) {
    EmbeddedConfig config =
        EmbeddedConfig.in(process.path(EngineHost.DIRECTORY))
            .durability(durability)
            .clock(new ManualClock(Instant.ofEpochSecond(1_700_000_000)))
            .build();
    EngineEnvironment seams =
        new EngineEnvironment(
            process.runs(), FaultHook.NONE, random::next, () -> 0, new SteppedMaintenance());
    return DrivenEngine.open(config, (sequence, result) -> {}, seams);
  }

  /** A log with records, whose engine was killed. */
  private void write(Durability durability) {
    DiskProcess process = disk.startProcess();
    DrivenEngine engine = open(process, durability);
    TaskDataFields task = new TaskDataFields();
    task.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    for (int i = 1; i < RECORDS; i++) {
      engine.modify().insert(new IdFields().set(1, i), task);
      engine.execute();
    }
    process.die();
    engine.abandon();
  }

  /** The record that an engine recovers; 0 if it refuses. */
  private long found(Durability durability) {
    DiskProcess process = disk.startProcess();
    try (DrivenEngine engine = open(process, durability)) {
      return engine.found().sequence();
    } catch (LogDamagedException e) {
      return 0;
    } finally {
      process.die();
    }
  }

  private String segment() {
    return disk.files(path -> path.startsWith(EngineHost.DIRECTORY + "/log/")).get(0);
  }

  private List<Integer> records(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> records = new ArrayList<>();
    for (int at = 0; at + Integer.BYTES <= bytes.length; at += Integer.BYTES) {
      if (buffer.getInt(at) == RecordFrame.MAGIC) {
        records.add(at);
      }
    }
    return records;
  }

  /** Spoils a record, the first being 1. */
  private void spoil(int record) {
    byte[] bytes = disk.read(segment());
    bytes[records(bytes).get(record - 1) + Long.BYTES] ^= 1;
    disk.write(segment(), bytes);
  }

  private RecoveryExpectation afterDamage(Durability durability) {
    return RecoveryExpectation.afterDamage(disk, 0, RECORDS, false, durability == Durability.OS);
  }

  @Test
  void shouldExpectAllOfALogThatIsWhole() {
    write(Durability.DISK);
    RecoveryExpectation next = afterDamage(Durability.DISK);

    assertThat(next).isEqualTo(new RecoveryExpectation(RECORDS, false));
    assertThat(found(Durability.DISK)).isEqualTo(RECORDS);
  }

  @Test
  void shouldExpectARefusalWhereALaterRecordTellsOfOneThatIsBad() {
    write(Durability.DISK);
    spoil(RECORDS - 2);
    RecoveryExpectation next = afterDamage(Durability.DISK);

    assertThat(next).isEqualTo(new RecoveryExpectation(RECORDS, true));
    assertThat(found(Durability.DISK)).isZero();
  }

  @Test
  void shouldExpectThatABadEndIsCutOff() {
    write(Durability.DISK);
    spoil(RECORDS);
    RecoveryExpectation next = afterDamage(Durability.DISK);

    assertThat(next).isEqualTo(new RecoveryExpectation(RECORDS - 1, false));
    assertThat(found(Durability.DISK)).isEqualTo(RECORDS - 1);
  }

  @Test
  void shouldExpectARefusalOfAnyHoleInALogThatIsNotForced() {
    write(Durability.OS);
    LogOnDisk before = LogOnDisk.read(disk);
    spoil(RECORDS - 1);

    assertThat(RecoveryExpectation.afterPowerLoss(disk, before, 0, true))
        .isEqualTo(new RecoveryExpectation(RECORDS - 2, true));
    assertThat(afterDamage(Durability.OS)).isEqualTo(new RecoveryExpectation(RECORDS, true));
    assertThat(found(Durability.OS)).isZero();
  }

  @Test
  void shouldNotAcceptThatARecordSaysMoreThanPowerHasLeft() {
    write(Durability.DISK);
    LogOnDisk before = LogOnDisk.read(disk);
    spoil(RECORDS - 2);

    assertNotThere(() -> RecoveryExpectation.afterPowerLoss(disk, before, 0, false));
  }

  private static void assertNotThere(ThrowingCallable calling) {
    assertThatThrownBy(calling)
        .isInstanceOfSatisfying(
            Violation.class, each -> assertThat(each.rule()).isEqualTo("forced-is-there"));
  }

  @Test
  void shouldNotAcceptThatPowerHasTakenTheLogInFrontOfASnapshot() {
    write(Durability.OS);
    LogOnDisk before = LogOnDisk.read(disk);
    spoil(1);

    assertNotThere(() -> RecoveryExpectation.afterPowerLoss(disk, before, RECORDS, true));
  }

  @Test
  void shouldNotMissInFrontOfASnapshotWhatWasGoneBefore() {
    write(Durability.OS);
    spoil(1);
    LogOnDisk before = LogOnDisk.read(disk);

    assertThat(RecoveryExpectation.afterPowerLoss(disk, before, RECORDS, true))
        .isEqualTo(new RecoveryExpectation(RECORDS, false));
  }
}
