package io.entroq.simulator.host;

import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.AnswerReporter;
import io.entroq.simulator.check.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The records that an engine writes before it is open, and their answers, kept until the recovered
 * record is known. One thread.
 */
final class FirstRecords implements AnswerReporter.Listener {
  private final List<Written> records = new ArrayList<>();

  private record Written(
      int type, long sequence, long timeMs, DirectBuffer payload, List<Answer> answers) {}

  private record Answer(long request, DirectBuffer result) {}

  void add(RecordFrame frame, DirectBuffer record) {
    byte[] bytes = new byte[frame.payloadLength()];
    record.getBytes(RecordFrame.HEADER_BYTES, bytes);
    records.add(
        new Written(
            frame.type(),
            frame.sequence(),
            frame.logTimeMs(),
            new UnsafeBuffer(bytes),
            new ArrayList<>()));
  }

  /** Keeps an answer of the newest record; answers of replayed records are ignored. */
  @Override
  public void onResult(long request, ResultDecoder result) {
    if (result.sequence() != last().sequence) {
      return;
    }
    byte[] bytes = new byte[result.encodedLength()];
    result.buffer().getBytes(result.encodedOffset(), bytes);
    last().answers.add(new Answer(request, new UnsafeBuffer(bytes)));
  }

  private Written last() {
    return records.get(records.size() - 1);
  }

  @Override
  public void onParked(long request) {
    // None of the first records is a claim.
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  /** The sequence of the first record; there must be one. */
  long first() {
    return records.get(0).sequence;
  }

  /**
   * Executes the newest record in a replay, because the dead engine may not have done so.
   *
   * @return the resulting state, which the caller closes
   */
  StateMachine replay(DirectoryReplay replay) {
    last().answers.clear();
    return replay.run(new AnswerReporter(this));
  }

  /**
   * Reports all records to the ledger, after the recovered record.
   *
   * @param machine the state machine that has executed them
   */
  void report(Ledger ledger, StateMachine machine) {
    for (Written record : records) {
      report(record, ledger, record.sequence == machine.sequence() ? machine : null);
    }
    records.clear();
  }

  private static void report(Written record, Ledger ledger, StateMachine machine) {
    int length = record.payload.capacity();
    ledger.onRecord(record.sequence, record.timeMs, record.type, record.payload, 0, length);
    for (Answer answer : record.answers) {
      ResultDecoder result = new ResultDecoder();
      result.wrap(answer.result, 0, answer.result.capacity());
      ledger.onResult(answer.request, result);
    }
    ledger.onStepEnd(
        record.sequence,
        machine == null ? 0 : machine.historyDigest(),
        machine == null ? 0 : machine.contentDigest());
  }
}
