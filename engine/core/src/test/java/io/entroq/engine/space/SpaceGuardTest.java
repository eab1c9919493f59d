package io.entroq.engine.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException.ResourceExhausted;
import io.entroq.engine.log.LogException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SpaceGuardTest {
  private static final long MIB = 1 << 20;
  private static final SpaceFloors FLOORS = new SpaceFloors(256 * MIB, 64 * MIB, 16 * MIB);

  private long usableBytes = 1_000 * MIB;
  private int looks;
  private long nowNs;
  private long nowMs = 1;
  private final SpaceGuard guard = guard(FLOORS);

  private SpaceGuard guard(SpaceFloors floors) {
    DiskSpace space =
        directory -> {
          looks++;
          return usableBytes;
        };
    return new SpaceGuard(Path.of("/some/where"), space, floors, () -> nowNs);
  }

  /** Lets enough time pass for another look. */
  private void set(long bytes) {
    usableBytes = bytes;
    nowNs += 5_000_000;
    nowMs += 100;
  }

  private void insert(long bytes) {
    guard.requireForCaller(true, (int) bytes, nowMs);
  }

  private void other(long bytes) {
    guard.requireForCaller(false, (int) bytes, nowMs);
  }

  private void ofEngine(long bytes) {
    guard.requireForEngine((int) bytes, nowMs);
  }

  @Test
  void shouldLookOncePerMebibyteOrTwentyMilliseconds() {
    for (int i = 0; i < 10 * 1024; i++) {
      insert(1024);
    }
    assertThat(looks).isBetween(10, 11);
    for (int i = 0; i < 1_000; i++) {
      nowMs++;
      other(10);
    }
    assertThat(looks).isBetween(60, 62);
  }

  @Test
  void shouldRefuseInsertsAloneBelowTheFirstFloor() {
    set(256 * MIB - 1);
    assertThatThrownBy(() -> insert(100))
        .isInstanceOf(ResourceExhausted.class)
        .hasMessageContaining("268,435,455 bytes are free on the file system of /some/where")
        .hasMessageContaining("this insert takes 100, and diskLowBytes keeps 268,435,456 free")
        .hasMessageContaining("Nothing was done. Free some space: with 285,212,672 bytes free");
    other(100);
    ofEngine(100);
    assertThat(guard.isLow()).isTrue();
    assertThat(guard.level(usableBytes)).isEqualTo(SpaceLevel.LOW);
    assertThat(guard.refused()).isEqualTo(1);
  }

  @Test
  void shouldRefuseAllOfCallersBelowTheSecondFloor() {
    set(64 * MIB - 1);
    assertThatThrownBy(() -> other(100))
        .isInstanceOf(ResourceExhausted.class)
        .hasMessageContaining("this takes 100, and diskFullBytes keeps 67,108,864 free");
    assertThatThrownBy(() -> insert(100)).isInstanceOf(ResourceExhausted.class);
    ofEngine(100);
    assertThat(guard.level(usableBytes)).isEqualTo(SpaceLevel.FULL);
    assertThat(guard.refused()).isEqualTo(2);
  }

  @Test
  void shouldEndWhatTheEngineCannotWriteBelowTheReserve() {
    set(16 * MIB + 99);
    assertThatThrownBy(() -> ofEngine(100))
        .isInstanceOfSatisfying(
            LogException.class,
            e -> assertThat(e.severity()).isEqualTo(LogException.Severity.FATAL))
        .hasMessageContaining("16,777,315 bytes are free on the file system of /some/where")
        .hasMessageContaining("16,777,216 are kept in reserve")
        .hasMessageContaining("Free some space, then open the directory again");
    assertThat(guard.refused()).isZero();
  }

  @Test
  void shouldHealALittleAboveTheFloor() {
    set(64 * MIB - 1);
    assertThatThrownBy(() -> other(100)).isInstanceOf(ResourceExhausted.class);
    set(64 * MIB + 1);
    assertThatThrownBy(() -> other(100)).isInstanceOf(ResourceExhausted.class);
    set(68 * MIB);
    other(100);
    assertThatThrownBy(() -> insert(100)).isInstanceOf(ResourceExhausted.class);
    set(256 * MIB + 1);
    assertThatThrownBy(() -> insert(100)).isInstanceOf(ResourceExhausted.class);
    set(272 * MIB);
    insert(100);
    assertThat(guard.isLow()).isFalse();
  }

  @Test
  void shouldLookSeldomWhileItRefuses() {
    set(64 * MIB - 1);
    for (int i = 0; i < 1_000; i++) {
      assertThatThrownBy(() -> other(100)).isInstanceOf(ResourceExhausted.class);
    }
    assertThat(looks).isEqualTo(1);
    nowNs += 5_000_000;
    assertThatThrownBy(() -> other(100)).isInstanceOf(ResourceExhausted.class);
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void shouldCountWhatIsWrittenBetweenLooks() {
    set(65 * MIB);
    assertThatThrownBy(() -> insert(100)).isInstanceOf(ResourceExhausted.class);
    other(MIB / 2);
    other(MIB / 2);
    assertThat(looks).isEqualTo(1);
    assertThatCode(() -> other(MIB / 2)).doesNotThrowAnyException();
    assertThat(looks).as("a mebibyte has gone by").isEqualTo(2);
  }

  @Test
  void shouldNeverLetInsertsGoBelowTheFloor() {
    usableBytes = 258 * MIB;
    int inserts = 0;
    while (!guard.isLow()) {
      try {
        insert(1_000);
        usableBytes -= 1_000;
        inserts++;
      } catch (ResourceExhausted e) {
        // The last.
      }
    }
    assertThat(usableBytes).isBetween(256 * MIB, 256 * MIB + 1_000);
    assertThat(inserts).isEqualTo((int) (2 * MIB / 1_000));
  }

  @Test
  void shouldJudgeWhatIsLargeByItsSize() {
    usableBytes = 260 * MIB;
    assertThatThrownBy(() -> insert(5 * MIB))
        .isInstanceOf(ResourceExhausted.class)
        .hasMessageContaining("this insert takes 5,242,880");
    assertThat(guard.isLow()).isFalse();
    insert(100);
    insert(3 * MIB);
    other(8 * MIB);
    set(66 * MIB);
    assertThatThrownBy(() -> other(3 * MIB)).isInstanceOf(ResourceExhausted.class);
    other(100);
  }

  @Test
  void shouldTreatInsertsAsAllElseWithoutTheFirstFloor() {
    SpaceGuard one = guard(new SpaceFloors(0, 64 * MIB, 16 * MIB));
    usableBytes = 100 * MIB;
    one.requireForCaller(true, 100, nowMs);
    set(60 * MIB);
    assertThatThrownBy(() -> one.requireForCaller(true, 100, nowMs))
        .isInstanceOf(ResourceExhausted.class)
        .hasMessageContaining("diskFullBytes keeps 67,108,864");
    assertThat(one.level(usableBytes)).isEqualTo(SpaceLevel.FULL);
  }

  @Test
  void shouldLeaveItToTheReserveWithoutFloors() {
    SpaceGuard none = guard(new SpaceFloors(0, 0, 16 * MIB));
    usableBytes = 10 * MIB;
    none.requireForCaller(true, 100, nowMs);
    assertThat(none.level(0)).isEqualTo(SpaceLevel.ENOUGH);
    assertThatThrownBy(() -> none.requireForEngine(100, nowMs)).isInstanceOf(LogException.class);
  }

  @Test
  void shouldRefuseNothingWithoutADisk() {
    SpaceGuard nothing = SpaceGuard.ofNothing();
    for (int i = 0; i < 10; i++) {
      nothing.requireForCaller(true, Integer.MAX_VALUE, i * 1_000L);
      nothing.requireForEngine(Integer.MAX_VALUE, i * 1_000L);
    }
    assertThat(nothing.usableBytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldRefuseFloorsOutOfOrder() {
    assertThatThrownBy(() -> new SpaceFloors(63 * MIB, 64 * MIB, 16 * MIB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "diskLowBytes must be 0 or at least diskFullBytes, which is 67,108,864; is"
                + " 66,060,288");
    assertThatThrownBy(() -> new SpaceFloors(0, 15 * MIB, 16 * MIB))
        .hasMessageContaining("diskFullBytes must be 0 or at least the reserve of the log");
    assertThatThrownBy(() -> new SpaceFloors(15 * MIB, 0, 16 * MIB))
        .hasMessageContaining("diskLowBytes must be 0 or at least the reserve of the log");
    assertThatThrownBy(() -> new SpaceFloors(-1, 0, 16 * MIB))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SpaceFloors(1L << 51, 0, 16 * MIB))
        .hasMessageContaining("at most");
  }
}
