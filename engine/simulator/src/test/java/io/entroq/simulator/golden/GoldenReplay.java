package io.entroq.simulator.golden;

import io.entroq.engine.effect.EffectDigest;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import java.util.Set;
import java.util.TreeSet;

/** A state machine that replays records, its result codes, and the effects of each record. */
final class GoldenReplay {
  private final StateMachine machine;
  private final CodeSink codes = new CodeSink();
  private long effects;

  GoldenReplay() {
    this(StateMachineConfig.DEFAULT);
  }

  GoldenReplay(StateMachineConfig config) {
    machine = new StateMachine(config);
  }

  /** Applies a record and returns the digests after it. */
  Digests apply(LoggedRecord record) {
    EffectDigest digest = new EffectDigest();
    machine.tellEffects(digest);
    record.applyTo(machine, codes);
    effects = digest.value();
    return Digests.of(machine);
  }

  /** The digest of the effects of the last record; 0 if it had none. */
  long effects() {
    return effects;
  }

  StateMachine machine() {
    return machine;
  }

  Set<Integer> codes() {
    return codes.seen;
  }

  private static final class CodeSink extends ResultSink.Discarding {
    private final Set<Integer> seen = new TreeSet<>();

    @Override
    public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
      seen.add(code);
    }
  }
}
