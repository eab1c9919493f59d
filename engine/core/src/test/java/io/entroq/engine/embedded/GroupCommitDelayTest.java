package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GroupCommitDelayTest {
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

  private final GroupCommitDelay pace = new GroupCommitDelay();

  @Test
  void shouldNotPutOffTheFirstForce() {
    assertThat(pace.isTooEarly(0)).isFalse();
    assertThat(pace.forceNs()).isZero();
  }

  @Test
  void shouldNotWaitForMoreThanWaitedBefore() {
    pace.onForced(HOUR_NS);
    pace.onReleased(3, 2);
    assertThat(pace.isTooEarly(5)).isFalse();
    assertThat(pace.isTooEarly(6)).isFalse();
  }

  @Test
  void shouldNotWaitForOthersWhenThereAreNone() {
    pace.onForced(HOUR_NS);
    pace.onReleased(1, 0);
    assertThat(pace.isTooEarly(1)).isFalse();
  }

  @Test
  void shouldWaitForThoseThatGotTheirRepliesButNotForLong() {
    pace.onForced(HOUR_NS);
    long startNs = System.nanoTime();
    pace.onReleased(3, 2);
    boolean isPutOff = pace.isTooEarly(4);
    // A thread that was stopped in between has waited long enough.
    assertThat(isPutOff || System.nanoTime() - startNs > 500_000).isTrue();
    Await.until("it is not put off any longer", () -> !pace.isTooEarly(4));
    assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(500_000);
  }

  @Test
  void shouldNotWaitLongerThanAForceTakes() {
    for (int i = 0; i < 100; i++) {
      pace.onForced(0);
    }
    pace.onReleased(30, 2);
    assertThat(pace.isTooEarly(0)).isFalse();
  }

  @Test
  void shouldKnowAboutHowLongAForceTakes() {
    for (int i = 0; i < 200; i++) {
      pace.onForced(100_000);
    }
    assertThat(pace.forceNs()).isBetween(90_000L, 100_000L);
  }
}
