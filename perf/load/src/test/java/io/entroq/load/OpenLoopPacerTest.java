package io.entroq.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenLoopPacerTest {
  private final ManualClock clock = new ManualClock();
  private final RunSchedule schedule =
      new RunSchedule(Duration.ofMillis(100), Duration.ofMillis(900));
  private final OpenLoopPacer loop = new OpenLoopPacer(clock, schedule, 1_000);

  @BeforeEach
  void begin() {
    schedule.begin(clock.nanoTime());
  }

  @Test
  void shouldWaitUntilTheNextCycleIsDue() {
    for (int i = 0; i < 5; i++) {
      assertThat(loop.next()).isEqualTo(at(i));
      assertThat(clock.nanoTime()).isEqualTo(at(i));
    }
  }

  @Test
  void shouldGiveOutAllThatIsDueWhenCallersAreLate() {
    clock.advance(Duration.ofMillis(200));
    // What was due in the warm-up is left out.
    assertThat(loop.next()).isEqualTo(at(100));
    assertThat(loop.overdue(clock.nanoTime())).isEqualTo(99);
    for (int i = 101; i < 200; i++) {
      assertThat(loop.next()).isEqualTo(at(i));
    }
    assertThat(clock.nanoTime()).isEqualTo(at(200));
    assertThat(loop.overdue(clock.nanoTime())).isZero();
    assertThat(loop.next()).isEqualTo(at(200));
  }

  @Test
  void shouldMakeUpForWhatIsLateInTheWarmUp() {
    clock.advance(Duration.ofMillis(50));
    assertThat(loop.next()).isEqualTo(at(0));
    assertThat(loop.next()).isEqualTo(at(1));
  }

  @Test
  void shouldEndWithTheRun() {
    clock.advance(Duration.ofMillis(999));
    for (int i = 100; i < 1_000; i++) {
      assertThat(loop.next()).isEqualTo(at(i));
    }
    assertThat(loop.next()).isEqualTo(Pacer.ENDED);
    assertThat(clock.nanoTime()).isEqualTo(at(1_000));
    assertThat(loop.overdue(clock.nanoTime() + 5_000_000)).isZero();
  }

  @Test
  void shouldSayWhatWasDueAtTheEnd() {
    clock.advance(Duration.ofMillis(1_500));
    assertThat(loop.next()).isEqualTo(Pacer.ENDED);
    assertThat(loop.overdue(clock.nanoTime())).isEqualTo(1_000);
  }

  private long at(int ms) {
    return schedule.startNs() + Duration.ofMillis(ms).toNanos();
  }
}
