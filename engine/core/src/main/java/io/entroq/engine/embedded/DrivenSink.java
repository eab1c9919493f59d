package io.entroq.engine.embedded;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.runtime.EncodingSink;
import java.util.Objects;
import org.agrona.ExpandableArrayBuffer;

/** Keeps the caller's own answer, and passes on those of claims that had to wait. */
final class DrivenSink extends EncodingSink {
  private final DrivenEngine.WaitingListener listener;
  private final ExpandableArrayBuffer own = new ExpandableArrayBuffer(1024);
  private final ExpandableArrayBuffer other = new ExpandableArrayBuffer(1024);
  private final ResultDecoder ownResult = new ResultDecoder();
  private final ResultDecoder otherResult = new ResultDecoder();
  private boolean isCaller;
  private boolean isAnswered;
  private boolean isDecoded;
  private int ownLength;
  private int code;

  /** The claim that has the caller's answer to come; 0: none has. */
  private long waiting;

  /** The claim that is being answered; 0: the caller's own request. */
  private long answering;

  DrivenSink(DrivenEngine.WaitingListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /** What follows is the engine's own. */
  void ofNobody() {
    isCaller = false;
  }

  /** What follows is the caller's request. */
  void ofCaller() {
    isCaller = true;
    isAnswered = false;
    waiting = 0;
  }

  boolean isAnswered() {
    return isAnswered;
  }

  /** The code of the answer; there is one. */
  int code() {
    return code;
  }

  /** The claim whose answer will be that of the caller's request; 0: it does not wait. */
  long waiting() {
    return waiting;
  }

  ResultDecoder result() {
    if (!isAnswered) {
      throw new IllegalStateException("there is no result: nothing was executed, or it waits");
    }
    if (!isDecoded) {
      isDecoded = true;
      ownResult.wrap(own, 0, ownLength);
    }
    return ownResult;
  }

  @Override
  public void onResult(long requestSequence, int resultCode, long stepSequence, long logTimeMs) {
    boolean isOwn = isCaller && (requestSequence == 0 || requestSequence == stepSequence);
    answering = isOwn ? 0 : requestSequence;
    if (isOwn) {
      // Kept apart, so that a caller that only wants the code need not decode the answer.
      code = resultCode;
    }
    begin(isOwn ? own : other, resultCode, stepSequence, logTimeMs);
  }

  @Override
  public void onEnd() {
    int length = end();
    if (answering == 0) {
      ownLength = length;
      isAnswered = true;
      isDecoded = false;
    } else {
      otherResult.wrap(other, 0, length);
      listener.onResult(answering, otherResult);
    }
  }

  @Override
  public void onParked(long requestSequence) {
    if (isCaller) {
      waiting = requestSequence;
    }
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    if (isCaller) {
      waiting = parkedSequence;
    }
  }
}
