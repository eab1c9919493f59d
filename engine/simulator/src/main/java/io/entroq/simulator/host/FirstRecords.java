package io.entroq.simulator.host;

import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.AnswerReporter;
import io.entroq.simulator.check.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The records that an engine writes before it is open, and their effects: kept until it is known
 * what the engine recovered. One thread.
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

  /** Takes what the newest of them brings about; of records before it nothing is kept. */
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

  /** The sequence of the first of them; there is one. */
  long first() {
    return records.get(0).sequence;
  }

  /**
   * The engine has died, and may not have executed the newest of them: it is executed in a replay.
   *
   * @return the state that it leads to; the caller's, who closes it
   */
  StateMachine replay(DirectoryReplay replay) {
    last().answers.clear();
    return replay.run(new AnswerReporter(this));
  }

  /**
   * Tells all of them, once it has been told what was found.
   *
   * @param machine that has executed them
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
