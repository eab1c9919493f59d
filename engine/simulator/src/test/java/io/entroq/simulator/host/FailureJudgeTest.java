package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogException;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.SimulatedDeath;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.host.FailureJudge.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class FailureJudgeTest {
  private final LogDamagedException damaged =
      new LogDamagedException("bad is /data/log/run/segment", Path.of("/data"), 0, 1);
  private final LogException clockBehind = LogException.error("The wall clock says 5 o'clock.");
  private final LogException noRoom = LogException.fatal("there is no room", null);

  private final SimulatedDisk disk = new SimulatedDisk();
  private final FailureJudge judge = new FailureJudge(disk);

  private IOException failureOfDisk() {
    disk.faults().failWrites(file -> true, 1);
    Path file = disk.startProcess().path("/file");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1));
    } catch (IOException e) {
      return e;
    }
    throw new AssertionError("the disk has not failed");
  }

  @Test
  void shouldAcceptAnEndThatTheDiskHasCaused() {
    judge.onEnd(LogException.fatal("forcing failed", failureOfDisk()), false);
  }

  @Test
  void shouldNotAcceptAnEndOfItsOwnBecauseTheDiskHasFailedBefore() {
    failureOfDisk();
    disk.limit(0);

    assertBroken(Invariant.DOES_NOT_BREAK, () -> judge.onEnd(new NullPointerException(), false));
    assertBroken(
        Invariant.DOES_NOT_BREAK,
        () -> judge.onEnd(new IllegalStateException(failureOfDisk()), false));
    assertBroken(
        Invariant.DOES_NOT_BREAK,
        () -> judge.onEnd(LogException.fatal("why?", new ArithmeticException()), false));
  }

  @Test
  void shouldTakeTheWordOfAnEngineForAFullDiskWhereItIsFull() {
    assertBroken(Invariant.DOES_NOT_BREAK, () -> judge.onEnd(noRoom, false));

    disk.limit(16 << 20);
    judge.onEnd(noRoom, false);
  }

  @Test
  void shouldWantToSeeTheDeathOfAProcessThatIsDead() {
    judge.onEnd(LogException.fatal("why?", new SimulatedDeath("here")), true);

    assertBroken(Invariant.DOES_NOT_BREAK, () -> judge.onEnd(new NullPointerException(), true));
  }

  @Test
  void shouldAcceptThatADamagedDirectoryIsRefused() {
    assertThat(judge.onRefusal(damaged, false, false, true, false)).isEqualTo(Refusal.DAMAGE);
    assertThat(judge.onRefusal(damaged, false, false, false, true)).isEqualTo(Refusal.DISK);
    assertBroken(
        Invariant.OPENS_UNDAMAGED, () -> judge.onRefusal(damaged, false, false, false, false));
  }

  @Test
  void shouldWantToBeToldWhatIsDamaged() {
    LogDamagedException silent = new LogDamagedException("bad luck", Path.of("/data"), 0, 1);
    for (RuntimeException each :
        new RuntimeException[] {silent, noRoom, new IllegalStateException()}) {
      assertBroken(
          Invariant.OPENS_UNDAMAGED, () -> judge.onRefusal(each, false, false, true, true));
    }
  }

  @Test
  void shouldAcceptThatNothingOpensWhileTheClockIsFarBehind() {
    assertThat(judge.onRefusal(clockBehind, false, true, false, false)).isEqualTo(Refusal.CLOCK);
    assertBroken(
        Invariant.OPENS_UNDAMAGED, () -> judge.onRefusal(clockBehind, false, false, false, false));
    assertBroken(
        Invariant.OPENS_UNDAMAGED, () -> judge.onRefusal(noRoom, false, true, false, false));
  }

  @Test
  void shouldLetViolationsThroughWhereverTheyAre() {
    Violation violation = Invariant.NO_GAP.broken("", "", "");
    assertBroken(Invariant.NO_GAP, () -> judge.onEnd(new IllegalStateException(violation), true));
  }
}
