package io.entroq.perf.jmh;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.task.TaskStore;
import java.nio.charset.StandardCharsets;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The task store and the indexes of a queue: single operations on random tasks without values. Each
 * random address depends on the operation before, so at a million tasks compare the time with
 * {@link MemoryBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx1g"})
public class StoreBenchmark {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int DAY_MS = 86_400_000;

  /** Tasks in the store, in no index of a queue. */
  @State(Scope.Thread)
  public static class Tasks {
    @Param({"1000", "1000000"})
    public int tasks;

    private final Arena arena = new Arena();
    final TaskStore store = new TaskStore(arena, StateMachineConfig.DEFAULT.taskChunkShift());
    final QueueStore queues = new QueueStore(arena, StateMachineConfig.DEFAULT.queueChunkShift());
    int queue;
    private long random = 1;
    private long nextId;
    private int found;

    /** Adds the tasks; their slots count from 0. */
    @Setup(Level.Trial)
    public void fill() {
      UnsafeBuffer name = new UnsafeBuffer("inbox".getBytes(StandardCharsets.UTF_8));
      queue = queues.findOrAdd(name, 0, name.capacity());
      for (int i = 0; i < tasks; i++) {
        index(add());
      }
    }

    @TearDown(Level.Trial)
    public void close() {
      store.close();
      queues.close();
      arena.close();
    }

    int add() {
      int slot = store.add(nextId, nextId * MULTIPLIER);
      store.insertSequence(slot, ++nextId);
      return slot;
    }

    void index(int slot) {
      store.queue(slot, queue);
    }

    /** A random number below the bound that depends on the last result. */
    int next(int bound, long result) {
      random = random * MULTIPLIER + result + 1;
      return (int) ((random >>> 33) % bound);
    }
  }

  /** Tasks that wait for their arrival. */
  public static class Waiting extends Tasks {
    final ArrivalIndex index = new ArrivalIndex(queues, store);
    private long nowMs;

    @Override
    void index(int slot) {
      super.index(slot);
      store.arrivalMs(slot, nowMs + next(DAY_MS, slot));
      index.add(queue, slot);
    }
  }

  /** Tasks that can be claimed. */
  public static class Ready extends Tasks {
    final ReadyIndex index = new ReadyIndex(queues, store);

    @Override
    void index(int slot) {
      super.index(slot);
      index.add(queue, slot);
    }
  }

  @Benchmark
  public int find(Tasks state) {
    long id = state.next(state.tasks, state.found);
    state.found = state.store.find(id, id * MULTIPLIER);
    return state.found;
  }

  /** Removes a task and adds another. */
  @Benchmark
  public int replace(Tasks state) {
    state.store.remove(state.next(state.tasks, state.nextId));
    int slot = state.add();
    state.index(slot);
    return slot;
  }

  /** Gives a waiting task another arrival time, as a renewal does. */
  @Benchmark
  public int renewWaiting(Waiting state) {
    int slot = state.next(state.tasks, state.index.first(state.queue));
    state.index.remove(state.queue, slot);
    state.index(slot);
    return slot;
  }

  /** Gives the first waiting task a later arrival time. */
  @Benchmark
  public int renewFirst(Waiting state) {
    int slot = state.index.first(state.queue);
    state.nowMs = state.index.dueMs(slot);
    state.index.remove(state.queue, slot);
    state.index(slot);
    return slot;
  }

  /** Makes a ready task the youngest. */
  @Benchmark
  public int readyAgain(Ready state) {
    int slot = state.index.at(state.queue, state.next(state.tasks, state.queue));
    state.index.remove(state.queue, slot);
    state.index.add(state.queue, slot);
    return slot;
  }
}
