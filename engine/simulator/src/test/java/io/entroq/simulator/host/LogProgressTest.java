package io.entroq.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.disk.SimulatedDisk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogProgressTest {
  private static final String MARK = EngineHost.DIRECTORY + "/closed";
  private static final long LAST = 9;
  private static final long TIME_MS = 1_000;

  private final SimulatedDisk disk = new SimulatedDisk();
  private final LogProgress course = new LogProgress(disk);

  /** Opened with one record less, and closed in order. */
  @BeforeEach
  void close() {
    course.onFound(LAST - 1);
    course.onRecord(LAST, TIME_MS);
    disk.write(MARK, new byte[] {1});
    course.onClosed();
  }

  @Test
  void shouldHaveAMarkThatNamesTheEndOnceItIsClosed() {
    assertThat(course.appended()).isEqualTo(LAST);
    assertThat(course.forced()).isEqualTo(LAST);
    assertThat(course.isMarked()).isTrue();
  }

  @Test
  void shouldHaveNoMarkOnceSomethingIsAppended() {
    course.onFound(LAST);
    course.onRecord(LAST + 1, TIME_MS);

    assertThat(course.isMarked()).isFalse();
    assertThat(course.forced()).isEqualTo(LAST);
  }

  @Test
  void shouldNotTrustADamagedMarkUntilItIsAsItWas() {
    long marked = course.marked();
    course.onDamage(MARK);
    assertThat(course.isMarked()).isFalse();

    course.onRestored(marked);
    assertThat(course.isMarked()).isTrue();

    course.onDamage(EngineHost.DIRECTORY + "/log/run");
    assertThat(course.isMarked()).isTrue();
  }
}
