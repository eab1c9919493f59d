package io.entroq.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SegmentLayout;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The engine's own recovery after process deaths and power losses. */
class EngineOnSimulatedDiskTest {
  private static final int SEEDS = 40;
  private static final int LIVES = 6;
  private static final Logger WARNINGS = Logger.getLogger("io.entroq");

  @BeforeAll
  static void beQuiet() {
    WARNINGS.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    WARNINGS.setLevel(null);
  }

  @Test
  void shouldHoldAllThatWasForcedWhenPowerIsLost() {
    int snapshots = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      EngineLives lives = new EngineLives(seed);
      for (int life = 0; life < LIVES; life++) {
        lives.open();
        lives.work();
        lives.losePower();
        lives.checkRecovery();
      }
      snapshots += lives.snapshots();
    }
    assertThat(snapshots).isGreaterThan(SEEDS);
  }

  @Test
  void shouldHoldAllThatWasExecutedWhenAProcessDiesAtAnyCall() {
    for (int seed = 0; seed < SEEDS; seed++) {
      EngineLives lives = new EngineLives(seed);
      for (int life = 0; life < LIVES; life++) {
        lives.disk().faults().dieIn(1 + lives.random().below(600), lives.random().oneIn(2));
        try {
          lives.open();
          lives.work();
        } catch (SimulatedDeath | LogException e) {
          assertThat(lives.isDead()).as("seed %d: %s", seed, e).isTrue();
        }
        lives.disk().faults().disarm();
        if (lives.random().oneIn(3)) {
          lives.losePower();
        } else {
          lives.kill();
        }
        lives.checkRecovery();
      }
    }
  }

  @Test
  void shouldHoldAllWhenItIsClosedInOrderAndThenPowerIsLost() {
    EngineLives lives = new EngineLives(1);
    for (int life = 0; life < LIVES; life++) {
      lives.open();
      lives.work();
      lives.close();
      lives.losePower();
      lives.checkRecovery();
    }
  }

  @Test
  void shouldRefuseOrHoldAMomentOfThePastWhenABitOfTheLogIsFlipped() {
    int refused = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      EngineLives lives = new EngineLives(seed);
      lives.open();
      lives.work();
      lives.close();
      DiskImage before = lives.disk().image();
      lives.disk().flipBit(path -> path.endsWith(SegmentLayout.SUFFIX), lives.random());
      try {
        lives.checkRecovery();
      } catch (LogException e) {
        refused++;
        lives.disk().restore(before);
        lives.checkRecovery();
      }
    }
    assertThat(refused).isGreaterThan(SEEDS / 4);
  }

  @Test
  void shouldStopWhenAForceFails() {
    EngineLives lives = new EngineLives(3);
    lives.open();
    lives.disk().faults().failForces(path -> path.endsWith(SegmentLayout.SUFFIX), 1);

    assertThatThrownBy(lives::work).hasMessageContaining("Input/output error");
    lives.losePower();
    lives.checkRecovery();
    assertThat(lives.disk().faults().forcesRepeated()).isZero();
  }

  @Test
  void shouldGoTheSameWayWhenTheSeedIsTheSame() {
    assertThat(fingerprint(5)).isEqualTo(fingerprint(5));
    assertThat(fingerprint(5)).isNotEqualTo(fingerprint(6));
  }

  private static long fingerprint(int seed) {
    EngineLives lives = new EngineLives(seed);
    for (int life = 0; life < LIVES; life++) {
      lives.open();
      lives.work();
      lives.losePower();
      lives.checkRecovery();
    }
    return lives.fingerprint();
  }
}
