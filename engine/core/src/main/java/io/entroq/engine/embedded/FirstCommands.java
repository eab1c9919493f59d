package io.entroq.engine.embedded;

import io.entroq.codec.command.CallersGoneEncoder;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.scan.TornTail;
import io.entroq.engine.recovery.RecoveredLog;
import io.entroq.engine.runtime.EngineCore;
import io.entroq.engine.runtime.GenesisSeed;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import org.agrona.ExpandableArrayBuffer;

/** Commands that an engine logs before it accepts others. */
final class FirstCommands {
  private final EngineCore core;
  private final ResultSink sink;
  private final ExpandableArrayBuffer command = new ExpandableArrayBuffer();

  /**
   * @param sink gets the results of an earlier process's claims
   */
  FirstCommands(EngineCore core, ResultSink sink) {
    this.core = core;
    this.sink = sink;
  }

  void write(RecoveredLog recovered, GenesisSeed seed) {
    if (recovered.isEmpty()) {
      genesis(seed);
      return;
    }
    if (recovered.cut() != null) {
      cut(recovered.cut());
    }
    if (core.machine().clientCount() > 0) {
      callersGone();
    }
  }

  /** Begins a log. */
  void genesis(GenesisSeed seed) {
    GenesisEncoder genesis =
        new GenesisEncoder()
            .wrap(command, 0)
            .logIdHigh(seed.logIdHigh())
            .logIdLow(seed.logIdLow())
            .seed(seed.seed())
            .level(Levels.MAX)
            .createdMs(core.clock().wallMs());
    execute(RecordType.GENESIS, genesis.length());
  }

  /** Records the tail that was cut off before this record. */
  private void cut(TornTail tail) {
    execute(RecordType.CUT, tail.encodeCut(command, 0));
  }

  /** Ends the waits of an earlier process. */
  private void callersGone() {
    execute(RecordType.CALLERS_GONE, new CallersGoneEncoder().wrap(command, 0).all(true).length());
  }

  private void execute(int type, int length) {
    long nowMs = Math.max(core.clock().nowMs(), core.machine().logTimeMs());
    core.apply(type, command, 0, length, nowMs, sink);
  }
}
