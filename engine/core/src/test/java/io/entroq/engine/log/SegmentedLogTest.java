package io.entroq.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The discipline of the log over the plainest thing that holds bytes. */
class SegmentedLogTest extends CommandLogConformance {
  private static final int TAG = 0x5e95e9;

  @TempDir private Path temporary;
  private final List<FaultPoint> reached = new ArrayList<>();
  private LogDirectory directory;

  @BeforeEach
  void openDirectory() {
    directory = LogDirectory.open(temporary.resolve("data"));
  }

  @AfterEach
  void closeDirectory() {
    directory.close();
  }

  @Override
  protected CommandLog open(LogConfig config) {
    return open(config, new PlainRuns(), reached::add);
  }

  private SegmentedLog open(LogConfig config, RunFactory runs, FaultHook faults) {
    return SegmentedLog.open(directory, runs, config, faults, TAG, 0, 0);
  }

  @Override
  protected List<LogRecord> readBack(CommandLog log) {
    LogRecord.Collector collector = new LogRecord.Collector();
    ScanReport report = new LogScanner(directory, HolePolicy.REFUSE).scan(collector);
    assertThat(report.requireUndamaged().tornTail()).isNull();
    assertThat(report.strayBytes()).isZero();
    return collector.records;
  }

  @Test
  void shouldPassThePointsWhereACrashWouldBeTelling() {
    try (CommandLog log = open(SMALL)) {
      append(log, LogRecord.of(1, "a"));
      append(log, LogRecord.of(2, "b"));
      append(log, LogRecord.ofBytes(3, 20_000));
      log.force();
    }
    assertThat(reached)
        .containsExactly(
            FaultPoint.AFTER_CLOSED_MARK_REMOVED,
            FaultPoint.AFTER_ROLL,
            FaultPoint.AFTER_ROLL,
            FaultPoint.BEFORE_CLOSED_MARK);
    assertThat(directory.closedMark().sequence()).isEqualTo(3);
  }

  @Test
  void shouldForceNothingMoreOnceAForceHasThrownAnythingAtAll() {
    AtomicBoolean isShort = new AtomicBoolean(true);
    Forcer forcer =
        (what, action) -> {
          if (isShort.getAndSet(false)) {
            throw new OutOfMemoryError("no such luck");
          }
          action.run();
        };
    try (CommandLog log = open(SMALL.withForcer(forcer))) {
      append(log, LogRecord.of(1, "a"));
      assertThatThrownBy(log::force).hasRootCauseInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(log::force).isInstanceOf(LogException.class);
      assertThat(log.forcedSequence()).isZero();
    }
  }

  @Test
  void shouldLeaveNoMarkAndNothingTrimmedWhenAbandoned() {
    CommandLog log = open(SMALL);
    append(log, LogRecord.of(1, "a"));
    log.force();
    log.abandon();
    log.close();
    assertThat(directory.closedMark()).isNull();
    assertThat(reached).doesNotContain(FaultPoint.BEFORE_CLOSED_MARK);
    assertThat(directory.runs().get(0).segments()).hasSize(1);
    assertThatThrownBy(() -> append(log, LogRecord.of(2, "b"))).isInstanceOf(LogException.class);
  }

  @Test
  void shouldLeaveTheRunWhereItIsWhenAbandonedBeforeItsFirstRecord() {
    open(SMALL).abandon();
    assertThat(directory.runs()).hasSize(1);
  }

  /** Gives memory that is too small, which shows in the middle of a record; counts what follows. */
  private static final class BrokenRuns implements RunFactory {
    private int rolledBack;
    private int closed;

    @Override
    public RunAppender open(Path run, LogConfig config) {
      RunAppender sound = new PlainRuns().open(run, config);
      return new RunAppender() {
        @Override
        public void roll() {
          sound.roll();
        }

        @Override
        public MutableDirectBuffer open(long position, int length) {
          return sound.open(position, length / 2);
        }

        @Override
        public void commit() {
          sound.commit();
        }

        @Override
        public void rollback() {
          rolledBack++;
        }

        @Override
        public Path file() {
          return sound.file();
        }

        @Override
        public String explain(Throwable failure) {
          return "half the room";
        }

        @Override
        public void close() {
          closed++;
          throw new AssertionError("will not close");
        }
      };
    }
  }

  @Test
  void shouldTakeBackWhatIsHalfWrittenAndCloseEverything() {
    BrokenRuns runs = new BrokenRuns();
    SegmentedLog log = open(SMALL, runs, FaultHook.NONE);
    assertThatThrownBy(() -> append(log, LogRecord.ofBytes(1, 700)))
        .isInstanceOf(LogException.class)
        .hasMessageStartingWith("Appending record 1 to ")
        .hasMessageEndingWith(" failed: half the room");
    assertThat(runs.rolledBack).isEqualTo(1);
    assertThatThrownBy(log::close).hasMessage("will not close");
    assertThat(runs.closed).isEqualTo(1);
    assertThat(log.appendedSequence()).isZero();
  }

  @Test
  void shouldSayWhyARunCannotBeBegunAndRemoveIt() {
    RunFactory none =
        (run, config) -> {
          throw new IllegalStateException("no room for runs");
        };
    assertThatThrownBy(() -> open(SMALL, none, FaultHook.NONE))
        .isInstanceOf(LogException.class)
        .hasMessageStartingWith("Cannot open the log in ")
        .hasMessageEndingWith("no room for runs");
    assertThat(directory.runs()).isEmpty();
  }
}
