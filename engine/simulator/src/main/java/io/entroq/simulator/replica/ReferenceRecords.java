package io.entroq.simulator.replica;

import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.call.AnswerReporter;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.virtual.Trace;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The records that members make of the log, which must be equal at every member. The first member's
 * record is executed by an independent state machine, as in a replay, and reported to the ledger.
 * The records of the others are compared with it. One thread.
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

  StateMachine observer() {
    return observer;
  }

  /** The newest record. */
  long last() {
    return before + kept.size();
  }

  /**
   * A member has made a record.
   *
   * @return whether it is the first member to make it
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

  /** Fails unless a member's state equals that after the same record. */
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
   * Fails unless an answer names the record of its own request.
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

  /** Drops older records. */
  void forgetBefore(long sequence) {
    int count = Math.toIntExact(Math.max(0, sequence - before - 1));
    kept.subList(0, count).clear();
    before += count;
  }

  /** Frees the memory. */
  void close() {
    observer.close();
  }
}
