package io.entroq.engine.local;

import io.entroq.engine.gateway.CommandWriter;
import io.entroq.engine.gateway.Submission;
import io.entroq.engine.request.RequestSlot;

/** A request that does not wait, on its way through the engine and back. */
final class GatewayRequest implements Submission, RequestSlot.Completion {
  private final Submitter handOver;
  private final RequestSlot slot;
  private final CompletionAdapter completion;

  /** Whether the slot is not this request's any more, or will not be told of. */
  private boolean isOver;

  GatewayRequest(Submitter handOver, RequestSlot slot, CompletionAdapter completion) {
    this.handOver = handOver;
    this.slot = slot;
    this.completion = completion;
  }

  /** Writes the command and hands it over. */
  GatewayRequest send(CommandWriter writer) {
    boolean isWritten = false;
    try {
      slot.commandLength = writer.write(slot.command());
      handOver.checkLength(slot.commandLength);
      isWritten = true;
    } finally {
      if (!isWritten) {
        handOver.release(slot);
      }
    }
    slot.completion = this;
    handOver.submit(slot);
    return this;
  }

  @Override
  public synchronized void cancel() {
    if (!isOver) {
      isOver = true;
      // If it is done already, it comes back all the same and is released then.
      slot.abandon();
    }
  }

  @Override
  public void onComplete(RequestSlot done) {
    try {
      if (end()) {
        completion.complete(done);
      }
    } finally {
      handOver.release(done);
    }
  }

  /** Ends the request; false if it was canceled before. */
  private synchronized boolean end() {
    boolean isCancelled = isOver;
    isOver = true;
    return !isCancelled;
  }
}
