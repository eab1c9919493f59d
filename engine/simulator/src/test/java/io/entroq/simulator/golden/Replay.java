package io.entroq.simulator.golden;

import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.task.TaskView;
import io.entroq.simulator.hunt.LoggedRecord;
import java.util.Set;
import java.util.TreeSet;

/** A state machine that is fed records, and the result codes that it has given. */
final class Replay {
  private final StateMachine machine;
  private final CodeSink codes = new CodeSink();

  Replay() {
    this(StateMachineConfig.DEFAULT);
  }

  Replay(StateMachineConfig config) {
    machine = new StateMachine(config);
  }

  /** Applies a record and returns what the machine says of itself then. */
  Digests apply(LoggedRecord record) {
    machine.apply(
        record.type(),
        record.payload(),
        0,
        record.payload().capacity(),
        record.crc(),
        record.logTimeMs(),
        record.sequence(),
        codes);
    return Digests.of(machine);
  }

  StateMachine machine() {
    return machine;
  }

  Set<Integer> codes() {
    return codes.seen;
  }

  private static final class CodeSink implements ResultSink {
    private final Set<Integer> seen = new TreeSet<>();

    @Override
    public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
      seen.add(code);
    }

    @Override
    public void onTask(int role, TaskView task) {}

    @Override
    public void onFailure(int itemKind, int index, boolean claimed, TaskView existing) {}

    @Override
    public void onItem(int itemKind, int index) {}

    @Override
    public void onEnd() {}

    @Override
    public void onParked(long requestSequence) {}

    @Override
    public void onAttached(long requestSequence, long parkedSequence) {}
  }
}
