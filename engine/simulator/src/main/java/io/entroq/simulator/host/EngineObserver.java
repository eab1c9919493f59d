package io.entroq.simulator.host;

import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.RecoveryPoint;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.AnswerReporter;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.virtual.Trace;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reports what an engine writes and answers to the ledger, in the order that the ledger requires,
 * and to the trace. One thread.
 */
final class EngineObserver {
  private final Ledger ledger;
  private final Trace trace;
  private final ForceWatch forces;
  private final FirstRecords firstRecords = new FirstRecords();

  /** The payload of the record that is being executed. */
  private final UnsafeBuffer payload = new UnsafeBuffer(0, 0);

  /** Null while no engine is open. */
  private StateMachine machine;

  /** The sequence of the record that is being executed; 0: none. */
  private long open;

  private int openType;
  private long openTimeMs;
  private int openCrc;

  /** The newest record that a reply has shown. */
  private long shown;

  EngineObserver(Ledger ledger, Trace trace, ForceWatch forces) {
    this.ledger = ledger;
    this.trace = trace;
    this.forces = forces;
  }

  // Records and answers.

  /**
   * A record has been appended.
   *
   * @param buffer begins with the record
   */
  void onRecord(RecordFrame frame, DirectBuffer buffer) {
    if (machine == null) {
      firstRecords.add(frame, buffer);
      return;
    }
    endStep();
    int length = frame.payloadLength();
    payload.wrap(buffer, RecordFrame.HEADER_BYTES, length);
    open = frame.sequence();
    openType = frame.type();
    openTimeMs = frame.logTimeMs();
    openCrc = frame.payloadCrc();
    ledger.onRecord(open, openTimeMs, openType, payload, 0, length);
  }

  /** Receives the answers of an engine's first records. */
  ResultSink firstAnswers() {
    return new AnswerReporter(firstRecords);
  }

  /** A claim that waited has its answer. */
  void onResult(long claimSequence, ResultDecoder result) {
    ledger.onResult(claimSequence, result);
  }

  /**
   * The engine has executed a request.
   *
   * @param hasAnswer whether it has an answer yet
   */
  void onExecuted(DrivenEngine engine, Request request, boolean hasAnswer) {
    if (engine.commandSequence() == 0) {
      endStep();
      DirectBuffer command = request.command();
      ledger.onUnlogged(request.type(), command, 0, command.capacity(), engine.result());
    } else if (hasAnswer) {
      ledger.onResult(engine.commandSequence(), engine.result());
    } else if (engine.waitingSequence() != 0) {
      ledger.onParked(engine.commandSequence());
    }
    endStep();
  }

  /** A read other than of tasks begins; the watcher checks it. */
  ReadWatcher onRead(Request request) {
    return ledger.onRead(request);
  }

  /** The engine has done everything that is due. */
  void onIdle(DrivenEngine engine) {
    endStep();
    ledger.onIdle(engine.nowMs(), engine.nextDeadlineMs());
  }

  /** Ends the step of the record that was executed, if there is one. */
  void endStep() {
    if (open != 0) {
      long sequence = open;
      open = 0;
      trace.add(machine.contentDigest());
      ledger.onStepEnd(sequence, machine.historyDigest(), machine.contentDigest());
    }
  }

  /** The engine reports everything up to a record as forced. */
  void onForced(long sequence) {
    forces.onForced(sequence);
    ledger.onForced(sequence);
  }

  /** A reply leaves that shows no newer record. */
  void onReply(long seen) {
    shown = Math.max(shown, seen);
    ledger.onReplyLeft(seen);
  }

  // Lives.

  /** The engine is dead, but its memory is still readable. */
  void onDeath(DrivenEngine engine, Ledger.Death death) {
    if (open != 0) {
      endLastStep(engine);
    }
    machine = null;
    ledger.onDeath(death);
  }

  /** The last record will be recovered, so its effect must be known. */
  private void endLastStep(DrivenEngine engine) {
    if (machine.sequence() < open) {
      AnswerReporter answers = new AnswerReporter(ledger);
      machine.apply(openType, payload, 0, payload.capacity(), openCrc, openTimeMs, open, answers);
    } else if (openType == RecordType.CLAIM
        || openType == RecordType.MODIFY
        || openType == RecordType.CLAIM_DOCS
        || openType == RecordType.CANCEL) {
      reportOwn(engine);
    }
    endStep();
  }

  private void reportOwn(DrivenEngine engine) {
    if (engine.waitingSequence() == 0) {
      ledger.onResult(open, engine.result());
    } else {
      ledger.onParked(open);
    }
  }

  /** The power has failed while no engine was running. */
  void onPowerLoss(boolean hasLied) {
    ledger.onDeath(hasLied ? Ledger.Death.POWER_AND_LIES : Ledger.Death.POWER);
  }

  /**
   * The disk has been damaged.
   *
   * @param least records after this one may be lost
   */
  void onDamage(long least) {
    ledger.onDamage(least);
  }

  /**
   * An engine is open.
   *
   * @return whether something that replies have shown is lost
   */
  boolean onOpened(DrivenEngine engine) {
    RecoveryPoint found = engine.found();
    machine = engine.machine();
    trace.add(found.sequence());
    trace.add(found.historyDigest());
    if (found.sequence() > 0 || ledger.sequence() > 0) {
      ledger.onRecovered(
          found.sequence(), found.logTimeMs(), found.historyDigest(), found.contentDigest());
    }
    firstRecords.report(ledger, machine);
    ledger.onOpened(machine);
    onForced(engine.forcedSequence());
    boolean isLoss = shown > found.sequence();
    shown = Math.min(shown, found.sequence());
    return isLoss;
  }

  /**
   * An opening failed.
   *
   * @param replay of the directory as the dead process has left it
   */
  void onNotOpened(DirectoryReplay replay) {
    if (!firstRecords.isEmpty()) {
      long found = firstRecords.first() - 1;
      if (found > 0 || ledger.sequence() > 0) {
        ledger.onRecovered(found);
      }
      try (StateMachine replayed = firstRecords.replay(replay)) {
        firstRecords.report(ledger, replayed);
      }
      ledger.onDeath(Ledger.Death.PROCESS);
    }
  }

  // Regular checks.

  /**
   * Compares the whole state.
   *
   * @param since the record of the snapshot that the engine started from
   */
  void count(long since) {
    ledger.full(machine, since);
  }
}
