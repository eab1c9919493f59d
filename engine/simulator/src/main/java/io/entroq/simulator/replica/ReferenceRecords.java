package io.entroq.simulator.replica;

import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.AnswerReporter;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.virtual.Trace;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The records that members make of the log, which must be the same at every member. The first
 * member to make one has an independent state machine execute it, as a replay would, and the ledger
 * hears the outcome. The others are compared with it. One thread.
 */
final class ReferenceRecords {
  private final Ledger ledger;
  private final Trace trace;
  private final StateMachine observer = new StateMachine(StateMachineConfig.DEFAULT);
  private final AnswerReporter answers;
  private final List<Kept> kept = new ArrayList<>();
  private long before;

  private record Kept(int type, long timeMs, int crc, long history, long content) {}

  ReferenceRecords(Ledger ledger, Trace trace) {
    this.ledger = ledger;
    this.answers = new AnswerReporter(ledger);
    this.trace = trace;
  }

  /** A state that has seen all of them. */
  StateMachine observer() {
    return observer;
  }

  /** The newest one. */
  long last() {
    return before + kept.size();
  }

  /**
   * A member makes a record.
   *
   * @return whether it is the first that does
   */
  boolean add(
      String who,
      int type,
      long sequence,
      long timeMs,
      int crc,
      DirectBuffer payload,
      int offset,
      int length) {
    if (sequence <= last()) {
      requireSame(who, type, sequence, timeMs, crc);
      return false;
    }
    ledger.onRecord(sequence, timeMs, type, payload, offset, length);
    observer.apply(type, payload, offset, length, crc, timeMs, sequence, answers);
    long content = observer.contentDigest();
    ledger.onStepEnd(sequence, observer.historyDigest(), content);
    trace.add(content);
    kept.add(new Kept(type, timeMs, crc, observer.historyDigest(), content));
    if (sequence == 1) {
      ledger.onOpened(observer);
    }
    return true;
  }

  private void requireSame(String who, int type, long sequence, long timeMs, int crc) {
    if (sequence <= before) {
      return;
    }
    Kept first = get(sequence);
    if (first.type != type || first.timeMs != timeMs || first.crc != crc) {
      throw Invariant.REPLICAS_AGREE.broken(
          "@" + sequence, first, type + ", " + timeMs + ", " + crc + " at " + who);
    }
  }

  /** A member has the state that the records have led to. */
  void requireState(String who, StateMachine machine) {
    long sequence = machine.sequence();
    if (sequence <= before) {
      return;
    }
    if (sequence > last()) {
      throw Invariant.REPLICAS_AGREE.broken("@" + sequence, "up to @" + last(), "more, at " + who);
    }
    Kept then = get(sequence);
    long history = machine.historyDigest();
    long content = machine.contentDigest();
    if (then.history != history || then.content != content) {
      throw Invariant.REPLICAS_AGREE.broken(
          "@" + sequence,
          Entry.hex(then.history) + ' ' + Entry.hex(then.content) + " as elsewhere",
          Entry.hex(history) + ' ' + Entry.hex(content) + " at " + who);
    }
  }

  /**
   * An answer is that of the record it names, if that is the request's own.
   *
   * @param crc of a command with an identity that does not wait
   */
  void requireAnswers(String who, long sequence, int crc) {
    if (sequence > before) {
      Invariant.ONE_ANSWER.require(
          get(sequence).crc == crc, "@" + sequence, "the answer to its command", who);
    }
  }

  private Kept get(long sequence) {
    return kept.get(Math.toIntExact(sequence - before - 1));
  }

  /** Nobody makes what is older once more. */
  void forgetBefore(long sequence) {
    int count = Math.toIntExact(Math.max(0, sequence - before - 1));
    kept.subList(0, count).clear();
    before += count;
  }

  /** Gives the memory back. */
  void close() {
    observer.close();
  }
}
