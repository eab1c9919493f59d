package io.entroq.simulator.call;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.runtime.EncodingSink;
import org.agrona.ExpandableArrayBuffer;

/** Reports the answers of a state machine that runs outside an engine. One thread. */
public final class AnswerReporter extends EncodingSink {
  private final Listener listener;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final ResultDecoder result = new ResultDecoder();
  private long requestSequence;

  /** Hears the answers. */
  public interface Listener {
    /**
     * A request has its answer.
     *
     * @param requestSequence the record of the request
     * @param result valid during the call
     */
    void onResult(long requestSequence, ResultDecoder result);

    /** The claim of a record waits, or has joined an earlier claim that waits. */
    void onParked(long requestSequence);
  }

  public AnswerReporter(Listener listener) {
    this.listener = listener;
  }

  @Override
  public void onResult(long request, int code, long stepSequence, long logTimeMs) {
    requestSequence = request;
    begin(buffer, code, stepSequence, logTimeMs);
  }

  @Override
  public void onEnd() {
    result.wrap(buffer, 0, end());
    listener.onResult(requestSequence, result);
  }

  @Override
  public void onParked(long request) {
    listener.onParked(request);
  }

  @Override
  public void onAttached(long request, long parkedSequence) {
    listener.onParked(request);
  }
}
