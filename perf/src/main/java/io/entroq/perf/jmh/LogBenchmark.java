package io.entroq.perf.jmh;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.jmh.record.RecordTarget;
import io.entroq.perf.jmh.record.RecordTargets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The log alone: records of 200 bytes appended, forced, and read back, compared with other ways to
 * write the same bytes. Needs the flags of {@code perf/flags}, and at most 512 MiB below {@code
 * java.io.tmpdir}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xmx512m"})
public class LogBenchmark {
  /** Nearly a segment. */
  private static final int APPENDS = 300_000;

  private static final int BATCH = 32;
  private static final int RECORDS = 1_000_000;

  /** What records are appended to; old segments are removed after each new one. */
  @State(Scope.Thread)
  public static class Target {
    @Param public RecordTargets target;

    private ScratchDirectory scratch;
    private RecordTarget records;
    private long appended;

    @Setup(Level.Trial)
    public void open() throws IOException {
      scratch = new ScratchDirectory();
      records = target.open(scratch.resolve("records"));
    }

    @TearDown(Level.Invocation)
    public void removeOld() throws IOException {
      if (appended >= APPENDS) {
        appended = 0;
        RecordTarget.removeOld(scratch.path());
      }
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
      records.close();
      scratch.close();
    }

    private void append(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        records.append();
      }
      appended += count;
    }

    private void appendAndForce(int count) throws IOException {
      append(count);
      records.force();
    }
  }

  /** A log to read, in the page cache. */
  @State(Scope.Thread)
  public static class Written {
    private ScratchDirectory scratch;
    private Path log;

    @Setup(Level.Trial)
    public void write() throws IOException {
      scratch = new ScratchDirectory();
      log = scratch.resolve("records");
      try (RecordTarget records = RecordTargets.LOG.open(log)) {
        for (int i = 0; i < RECORDS; i++) {
          records.append();
        }
      }
    }

    @TearDown(Level.Trial)
    public void remove() {
      scratch.close();
    }
  }

  /** Appends a record, including the creation of new segments. */
  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void append(Target target) throws IOException {
    target.append(APPENDS);
  }

  /** Appends a record and forces it. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public void appendAndForce(Target target) throws IOException {
    target.appendAndForce(1);
  }

  /** Appends 32 records and forces them together. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public void append32AndForce(Target target) throws IOException {
    target.appendAndForce(BATCH);
  }

  /** Reads a record as an engine does at its start, without applying it. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public long read(Written written) {
    long[] seen = {0};
    try (LogDirectory directory = LogDirectory.read(written.log)) {
      ScanReport report =
          new LogScanner(directory, HolePolicy.REFUSE)
              .scan((type, at, timeMs, crc, payload, offset, length) -> seen[0] += at);
      if (report.records() != RECORDS) {
        throw new IllegalStateException(report.toString());
      }
    }
    return seen[0];
  }
}
