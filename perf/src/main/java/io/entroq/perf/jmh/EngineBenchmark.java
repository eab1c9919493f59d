package io.entroq.perf.jmh;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.cycle.DrivenCycle;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.fixture.Values;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole engine: the cycle of a task of 128 bytes (insert, claim, delete) and single commands, by
 * a caller that drives the engine and by callers of an engine with a thread of its own. Needs the
 * flags of {@code perf/flags}.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xmx1g"})
public class EngineBenchmark {
  private static final int VALUE_BYTES = 128;
  private static final int INSERTS = 1_000;
  private static final int CALLERS = 8;
  private static final String QUEUE = "inbox";

  /** The directory of an engine. */
  @State(Scope.Benchmark)
  public static class Directory {
    /** Without a log, and with one that is not forced. */
    @Param({"NONE", "OS"})
    public Durability durability;

    private ScratchDirectory scratch;

    @Setup(Level.Trial)
    public void create() {
      scratch = new ScratchDirectory();
    }

    @TearDown(Level.Trial)
    public void remove() {
      scratch.close();
    }

    private EmbeddedConfig config() {
      return durability == Durability.NONE
          ? EmbeddedConfig.inMemory().build()
          : EmbeddedConfig.in(scratch.resolve("engine")).build();
    }
  }

  /** An engine that its caller drives. */
  @State(Scope.Benchmark)
  public static class Driven {
    private DrivenEngine engine;
    private DrivenCycle tasks;

    @Setup(Level.Trial)
    public void open(Directory directory) {
      engine = DrivenEngine.open(directory.config(), (sequence, result) -> {});
      tasks = new DrivenCycle(engine, VALUE_BYTES);
    }

    @TearDown(Level.Trial)
    public void close() {
      engine.close();
    }
  }

  /** An engine with a thread of its own. */
  @State(Scope.Benchmark)
  public static class Embedded {
    private final Value value = Values.random(new SplittableRandom(1), VALUE_BYTES);
    private final Claim claim = Claim.from(QUEUE);
    private EmbeddedEntroQ queue;

    @Setup(Level.Trial)
    public void open(Directory directory) {
      queue = EmbeddedEntroQ.open(directory.config());
    }

    @TearDown(Level.Trial)
    public void close() {
      queue.close();
    }

    private ModifyResult insert() {
      return queue.modify(Modification.insert(QUEUE, value)).orThrow();
    }

    private ModifyResult cycle() {
      insert();
      // Each caller has inserted a task before, so there is one for each to claim.
      return queue.modify(Modification.delete(queue.tryClaim(claim).orElseThrow())).orThrow();
    }
  }

  /** Empties the queue between invocations. */
  @State(Scope.Benchmark)
  public static class DrivenDrain {
    @TearDown(Level.Invocation)
    public void drain(Driven engine) {
      while (engine.engine.taskCount() > 0) {
        engine.tasks.claimAndDelete();
      }
    }
  }

  /** Empties the queue between invocations. */
  @State(Scope.Benchmark)
  public static class EmbeddedDrain {
    @TearDown(Level.Invocation)
    public void drain(Embedded engine) {
      List<Task> tasks = engine.queue.tryClaimMany(engine.claim.withLimit(INSERTS));
      Modification.Builder deletes = Modification.builder();
      tasks.forEach(deletes::delete);
      engine.queue.modify(deletes.build()).orThrow();
    }
  }

  @Benchmark
  public void drivenCycle(Driven engine) {
    engine.tasks.cycle();
  }

  @Benchmark
  @OperationsPerInvocation(INSERTS)
  public void drivenInsert(Driven engine, DrivenDrain drain) {
    for (int i = 0; i < INSERTS; i++) {
      engine.tasks.insert();
    }
  }

  /** A claim of an empty queue. */
  @Benchmark
  public int drivenEmptyClaim(Driven engine) {
    return engine.tasks.claim();
  }

  @Benchmark
  public ModifyResult embeddedCycle(Embedded engine) {
    return engine.cycle();
  }

  /** Cycles by eight callers in the same queue. */
  @Benchmark
  @Threads(CALLERS)
  public ModifyResult embeddedCycleOf8(Embedded engine) {
    return engine.cycle();
  }

  @Benchmark
  @OperationsPerInvocation(INSERTS)
  public ModifyResult embeddedInsert(Embedded engine, EmbeddedDrain drain) {
    ModifyResult last = null;
    for (int i = 0; i < INSERTS; i++) {
      last = engine.insert();
    }
    return last;
  }

  /** A claim of an empty queue by one caller. */
  @Benchmark
  public Optional<Task> embeddedEmptyClaim(Embedded engine) {
    return engine.queue.tryClaim(engine.claim);
  }
}
