package io.entroq.simulator.host;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.runtime.EncodingSink;
import org.agrona.ExpandableArrayBuffer;

/** Reports the answers of a state machine that runs outside an engine. One thread. */
final class AnswerReporter extends EncodingSink {
  private final Taker taker;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final ResultDecoder result = new ResultDecoder();
  private long requestSequence;

  /** Takes answers. */
  interface Taker {
    /** The claim or request of a record has its answer. */
    void onResult(long request, ResultDecoder result);

    /** The claim of a record waits. */
    void onParked(long request);
  }

  AnswerReporter(Taker taker) {
    this.taker = taker;
  }

  @Override
  public void onResult(long request, int code, long stepSequence, long logTimeMs) {
    requestSequence = request;
    begin(buffer, code, stepSequence, logTimeMs);
  }

  @Override
  public void onEnd() {
    result.wrap(buffer, 0, end());
    taker.onResult(requestSequence, result);
  }

  @Override
  public void onParked(long request) {
    taker.onParked(request);
  }

  @Override
  public void onAttached(long request, long parkedSequence) {
    taker.onParked(request);
  }
}
