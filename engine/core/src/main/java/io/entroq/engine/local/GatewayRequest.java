package io.entroq.engine.local;

import io.entroq.engine.gateway.CommandWriter;
import io.entroq.engine.gateway.Submission;
import io.entroq.engine.request.RequestSlot;

/** A request that does not wait, on its way through the engine and back. */
final class GatewayRequest implements Submission {
  private final Submitter handOver;
  private final RequestSlot slot;
  private final RequestSlot.Completion teller;

  /** Whether the slot is not this request's any more, or will not be told of. */
  private boolean isOver;

  /**
   * @param teller tells of the slot when it is done
   */
  GatewayRequest(Submitter handOver, RequestSlot slot, RequestSlot.Completion teller) {
    this.handOver = handOver;
    this.slot = slot;
    this.teller = teller;
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
    slot.completion = this::complete;
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

  private void complete(RequestSlot done) {
    try {
      if (mayTell()) {
        teller.onComplete(done);
      }
    } finally {
      handOver.release(done);
    }
  }

  private synchronized boolean mayTell() {
    boolean may = !isOver;
    isOver = true;
    return may;
  }
}
