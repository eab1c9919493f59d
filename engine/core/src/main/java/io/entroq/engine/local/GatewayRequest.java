package io.entroq.engine.local;

import io.entroq.engine.gateway.CommandWriter;
import io.entroq.engine.gateway.Submission;
import io.entroq.engine.request.RequestSlot;

/** A request that does not wait, from its submission to its completion. */
final class GatewayRequest implements Submission, RequestSlot.Completion {
  private final Submitter submitter;
  private final RequestSlot slot;
  private final CompletionAdapter completion;

  /** Whether the slot no longer belongs to this request, or nobody wants the result. */
  private boolean isOver;

  GatewayRequest(Submitter submitter, RequestSlot slot, CompletionAdapter completion) {
    this.submitter = submitter;
    this.slot = slot;
    this.completion = completion;
  }

  /** Writes and submits the command. */
  GatewayRequest send(CommandWriter writer) {
    boolean isWritten = false;
    try {
      slot.commandLength = writer.write(slot.command());
      submitter.checkLength(slot.commandLength);
      isWritten = true;
    } finally {
      if (!isWritten) {
        submitter.release(slot);
      }
    }
    slot.completion = this;
    submitter.submit(slot);
    return this;
  }

  @Override
  public synchronized void cancel() {
    if (!isOver) {
      isOver = true;
      // If it is done already, its completion releases it.
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
      submitter.release(done);
    }
  }

  /** Ends the request; false if it was canceled before. */
  private synchronized boolean end() {
    boolean isCancelled = isOver;
    isOver = true;
    return !isCancelled;
  }
}
