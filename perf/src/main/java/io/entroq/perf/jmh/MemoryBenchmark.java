package io.entroq.perf.jmh;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A read of a random address in memory, on which the next address depends: the ceiling of
 * everything that works on a state larger than the caches.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 3,
    jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx2g"})
public class MemoryBenchmark {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  /** 256 KiB fit into the caches; 256 MiB are the state of a million tasks of 128 bytes. */
  @Param({"262144", "268435456"})
  public int bytes;

  private UnsafeBuffer memory;
  private long mask;
  private long position = 1;

  /** Touches every page. */
  @Setup(Level.Trial)
  public void fill() {
    memory = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
    mask = (long) bytes - Long.BYTES;
    for (int i = 0; i < bytes; i += Long.BYTES) {
      memory.putLong(i, (long) i * MULTIPLIER);
    }
  }

  @Benchmark
  public long dependentRead() {
    position = (position * MULTIPLIER + memory.getLong((int) (position & mask & -8L))) >>> 17;
    return position;
  }
}
