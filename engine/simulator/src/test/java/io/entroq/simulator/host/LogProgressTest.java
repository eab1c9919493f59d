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
  private final LogProgress progress = new LogProgress(disk);

  /** Opened with one record less, and closed. */
  @BeforeEach
  void close() {
    progress.onFound(LAST - 1);
    progress.onRecord(LAST, TIME_MS);
    disk.write(MARK, new byte[] {1});
    progress.onClosed();
  }

  @Test
  void shouldHaveAMarkThatNamesTheEndOnceItIsClosed() {
    assertThat(progress.appended()).isEqualTo(LAST);
    assertThat(progress.forced()).isEqualTo(LAST);
    assertThat(progress.isMarked()).isTrue();
  }

  @Test
  void shouldHaveNoMarkOnceSomethingIsAppended() {
    progress.onFound(LAST);
    progress.onRecord(LAST + 1, TIME_MS);

    assertThat(progress.isMarked()).isFalse();
    assertThat(progress.forced()).isEqualTo(LAST);
  }

  @Test
  void shouldNotTrustADamagedMarkUntilItIsAsItWas() {
    long marked = progress.marked();
    progress.onDamage(MARK);
    assertThat(progress.isMarked()).isFalse();

    progress.onRestored(marked);
    assertThat(progress.isMarked()).isTrue();

    progress.onDamage(EngineHost.DIRECTORY + "/log/run");
    assertThat(progress.isMarked()).isTrue();
  }
}
