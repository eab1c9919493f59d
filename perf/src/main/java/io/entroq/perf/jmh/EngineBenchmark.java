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
import java.io.IOException;
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
 * a caller that drives the engine and by callers of one with a thread of its own. Needs the flags
 * of {@code perf/flags}; the engine itself keeps its log short.
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

  /** Where an engine lives. */
  @State(Scope.Benchmark)
  public static class Place {
    /** Without a log, and with one that is not forced. */
    @Param({"NONE", "OS"})
    public Durability durability;

    private ScratchDirectory scratch;

    /** Makes room. */
    @Setup(Level.Trial)
    public void make() throws IOException {
      scratch = ScratchDirectory.temporary();
    }

    /** Removes all. */
    @TearDown(Level.Trial)
    public void remove() throws IOException {
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

    /** Opens it. */
    @Setup(Level.Trial)
    public void open(Place place) {
      engine = DrivenEngine.open(place.config(), (sequence, result) -> {});
      tasks = new DrivenCycle(engine, VALUE_BYTES);
    }

    /** Closes it. */
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

    /** Opens it. */
    @Setup(Level.Trial)
    public void open(Place place) {
      queue = EmbeddedEntroQ.open(place.config());
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() {
      queue.close();
    }

    private ModifyResult insert() {
      return queue.modify(Modification.insert(QUEUE, value)).orThrow();
    }

    private ModifyResult cycle() {
      insert();
      // Whoever claims has inserted one before, so there is one for each, if not always his own.
      return queue.modify(Modification.delete(queue.tryClaim(claim).orElseThrow())).orThrow();
    }
  }

  /** Leaves the queue empty, outside of what is measured; only where that is many commands. */
  @State(Scope.Benchmark)
  public static class DrivenDrain {
    /** Takes what was inserted. */
    @TearDown(Level.Invocation)
    public void drain(Driven engine) {
      while (engine.engine.taskCount() > 0) {
        engine.tasks.claimAndDelete();
      }
    }
  }

  /** As {@link DrivenDrain}. */
  @State(Scope.Benchmark)
  public static class EmbeddedDrain {
    /** Takes what was inserted. */
    @TearDown(Level.Invocation)
    public void drain(Embedded engine) {
      List<Task> tasks = engine.queue.tryClaimMany(engine.claim.withLimit(INSERTS));
      Modification.Builder deletes = Modification.builder();
      tasks.forEach(deletes::delete);
      engine.queue.modify(deletes.build()).orThrow();
    }
  }

  /** A cycle. */
  @Benchmark
  public void drivenCycle(Driven engine) {
    engine.tasks.cycle();
  }

  /** An insert. */
  @Benchmark
  @OperationsPerInvocation(INSERTS)
  public void drivenInsert(Driven engine, DrivenDrain drain) {
    for (int i = 0; i < INSERTS; i++) {
      engine.tasks.insert();
    }
  }

  /** A claim that finds nothing and does not wait. */
  @Benchmark
  public int drivenEmptyClaim(Driven engine) {
    return engine.tasks.claim();
  }

  /** A cycle by one caller. */
  @Benchmark
  public ModifyResult embeddedCycle(Embedded engine) {
    return engine.cycle();
  }

  /** Cycles by eight callers, of tasks in the same queue. */
  @Benchmark
  @Threads(CALLERS)
  public ModifyResult embeddedCycleOf8(Embedded engine) {
    return engine.cycle();
  }

  /** An insert by one caller. */
  @Benchmark
  @OperationsPerInvocation(INSERTS)
  public ModifyResult embeddedInsert(Embedded engine, EmbeddedDrain drain) {
    ModifyResult last = null;
    for (int i = 0; i < INSERTS; i++) {
      last = engine.insert();
    }
    return last;
  }

  /** A claim by one caller that finds nothing and does not wait. */
  @Benchmark
  public Optional<Task> embeddedEmptyClaim(Embedded engine) {
    return engine.queue.tryClaim(engine.claim);
  }
}
