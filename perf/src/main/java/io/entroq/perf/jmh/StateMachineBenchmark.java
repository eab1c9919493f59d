package io.entroq.perf.jmh;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.task.TaskView;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The state machine alone: insert, claim and delete of a task of 128 bytes in a queue with a
 * backlog. The score counts commands; a cycle has three.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 3,
    jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx2g"})
public class StateMachineBenchmark {
  private static final int VALUE_BYTES = 128;
  private static final int COMMANDS = 3;

  /** The backlog. */
  @Param({"1000", "1000000"})
  public int pending;

  final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final CommandTemplates.Template insert = CommandTemplates.insert(VALUE_BYTES);
  private final CommandTemplates.Template claim = CommandTemplates.claim();
  private final CommandTemplates.Template delete = CommandTemplates.delete();
  private final ClaimedId claimed = new ClaimedId();
  private long sequence;
  private long nextId = 1;
  private long timeMs = 1_700_000_000_000L;

  @Setup(Level.Trial)
  public void fill() {
    UnsafeBuffer genesis =
        new UnsafeBuffer(
            Genesis.newBuilder().setLevel(Levels.MAX).setSeed(42).build().toByteArray());
    machine.prepare(RecordType.GENESIS, genesis, 0, genesis.capacity(), timeMs);
    machine.commit(++sequence, 0, claimed);
    for (int i = 0; i < pending; i++) {
      insert.id(nextId++);
      run(RecordType.MODIFY, insert);
    }
  }

  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public long cycle() {
    insert.id(nextId++);
    run(RecordType.MODIFY, insert);
    run(RecordType.CLAIM, claim);
    delete.id(claimed.idLow);
    run(RecordType.MODIFY, delete);
    return claimed.idLow + claimed.seen;
  }

  private void run(int type, CommandTemplates.Template command) {
    // A millisecond every thousand commands, as at a million commands a second.
    timeMs += (sequence & 1023) == 0 ? 1 : 0;
    machine.prepare(type, command.buffer, 0, command.length, timeMs);
    machine.commit(++sequence, (int) sequence, claimed);
  }

  /** Keeps the id of the last claimed task, and reads its value as a reply would. */
  private static final class ClaimedId implements ResultSink {
    private long idLow;
    private long seen;

    @Override
    public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
      if (code != 1) {
        throw new IllegalStateException("result " + code);
      }
    }

    @Override
    public void onTask(int role, TaskView task) {
      if (role == ROLE_CLAIMED) {
        idLow = task.idLow();
        seen += task.valueBuffer().getByte(task.valueOffset());
      }
    }

    @Override
    public void onDoc(DocView doc) {}

    @Override
    public void onSet(DocView set) {}

    @Override
    public void onPolicy(PolicyView policy) {}

    @Override
    public void onFailure(FailedItem item) {
      throw new IllegalStateException("failed item " + item.kind());
    }

    @Override
    public void onItem(int itemKind, int index) {
      throw new IllegalStateException("refused item " + itemKind);
    }

    @Override
    public void onQueueFull(long tasks, long tasksMax) {
      throw new IllegalStateException("a queue with " + tasks + " tasks is full");
    }

    @Override
    public void onEnd() {
      // Nothing to hand over.
    }

    @Override
    public void onParked(long requestSequence) {
      throw new IllegalStateException("no claim waits here");
    }

    @Override
    public void onAttached(long requestSequence, long parkedSequence) {
      throw new IllegalStateException("no claim waits here");
    }
  }
}
