package io.entroq.simulator.replica;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.EncodingSink;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.virtual.Chance;
import org.agrona.ExpandableArrayBuffer;

/**
 * What a member's state machine answers: hashed, to be held against the other members' answers;
 * told to the ledger by the first; and given to those callers that the member holds. One thread.
 */
final class MemberAnswers extends EncodingSink {
  private final Ledger ledger;
  private final Callers callers;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1_024);
  private final ResultDecoder result = new ResultDecoder();
  private Entry entry;
  private boolean isFirst;
  private boolean isOwn;
  private long request;
  private long hash;

  MemberAnswers(Ledger ledger, Callers callers) {
    this.ledger = ledger;
    this.callers = callers;
  }

  /**
   * An entry is about to be applied.
   *
   * @param isFirst whether nobody has applied it yet
   * @param isOwn whether it was proposed for a caller that the member holds
   */
  void begin(Entry of, boolean isFirst, boolean isOwn) {
    this.entry = of;
    this.isFirst = isFirst;
    this.isOwn = isOwn;
    hash = 0;
  }

  /** A hash over all answers since {@link #begin}. */
  long hash() {
    return hash;
  }

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
    request = requestSequence;
    begin(buffer, code, stepSequence, logTimeMs);
  }

  @Override
  public void onEnd() {
    int length = end();
    mix(request);
    mixBytes(length);
    if (isFirst) {
      result.wrap(buffer, 0, length);
      ledger.onResult(request, result);
    }
    if (request == entry.sequence()) {
      if (isOwn) {
        callers.answer(entry.proposal, Reply.of(buffer, 0, length));
      }
    } else if (callers.isParked(request)) {
      callers.answerParked(request, Reply.of(buffer, 0, length));
    }
  }

  private void mix(long value) {
    hash = Chance.mix(hash ^ value) + 1;
  }

  private void mixBytes(int length) {
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      mix(buffer.getLong(at));
    }
    for (; at < length; at++) {
      mix(buffer.getByte(at));
    }
  }

  @Override
  public void onParked(long requestSequence) {
    onAttached(requestSequence, requestSequence);
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    mix(requestSequence);
    mix(parkedSequence);
    if (isFirst) {
      ledger.onParked(requestSequence);
    }
    if (isOwn) {
      callers.park(entry.proposal, parkedSequence);
    }
  }
}
