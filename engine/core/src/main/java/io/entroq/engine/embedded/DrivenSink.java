package io.entroq.engine.embedded;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.runtime.EncodingSink;
import java.util.Objects;
import org.agrona.ExpandableArrayBuffer;

/** Keeps the result of the caller's command, and passes on the results of waiting claims. */
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

  /** The claim whose result will be that of the caller's command; 0 if it does not wait. */
  private long waiting;

  /** The claim that is being answered; 0 for the caller's own command. */
  private long answering;

  DrivenSink(DrivenEngine.WaitingListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /** The following results belong to the engine's own commands. */
  void ofEngine() {
    isCaller = false;
  }

  /** The next result belongs to the caller's command. */
  void ofCaller() {
    isCaller = true;
    isAnswered = false;
    waiting = 0;
  }

  boolean isAnswered() {
    return isAnswered;
  }

  /** The code of the result; only after {@link #isAnswered}. */
  int code() {
    return code;
  }

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
      // Kept separately: a caller that only needs the code need not decode the result.
      code = resultCode;
      // It may have parked in this step, and has its tasks already.
      waiting = 0;
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
