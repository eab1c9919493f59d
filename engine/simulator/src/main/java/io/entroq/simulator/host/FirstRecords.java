package io.entroq.simulator.host;

import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What an engine writes before it is open, and what that brings about: kept until it is known what
 * it has found. One thread.
 */
final class FirstRecords implements ToldAnswers.Taker {
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

  @Override
  public void onResult(long request, ResultDecoder result) {
    byte[] bytes = new byte[result.encodedLength()];
    result.buffer().getBytes(result.encodedOffset(), bytes);
    records.get(records.size() - 1).answers.add(new Answer(request, new UnsafeBuffer(bytes)));
  }

  @Override
  public void onParked(long request) {
    throw new IllegalStateException("a first record that waits: @" + request);
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  /** The sequence of the first of them; there is one. */
  long first() {
    return records.get(0).sequence;
  }

  /**
   * Tells all of them, once it has been told what was found.
   *
   * @param machine the engine's, which is open; null if it has died, and may not have executed the
   *     last of them
   */
  void tell(Ledger ledger, StateMachine machine) {
    for (int i = 0; i < records.size(); i++) {
      boolean isLast = i == records.size() - 1;
      tell(records.get(i), ledger, isLast ? machine : null, machine != null || !isLast);
    }
    records.clear();
  }

  private static void tell(
      Written record, Ledger ledger, StateMachine machine, boolean isExecuted) {
    int length = record.payload.capacity();
    ledger.onRecord(record.sequence, record.timeMs, record.type, record.payload, 0, length);
    if (isExecuted || !record.answers.isEmpty()) {
      ledger.onHeard();
    }
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
