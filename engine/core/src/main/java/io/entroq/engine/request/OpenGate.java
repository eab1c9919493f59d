package io.entroq.engine.request;

/** The gate at durability below {@code DISK}: a reply only promises that the record was written. */
public final class OpenGate implements ReplyGate {
  private final Completer completer;

  public OpenGate(Completer completer) {
    this.completer = completer;
  }

  @Override
  public void pass(RequestSlot slot) {
    completer.complete(slot, RequestOutcome.REPLIED, null);
  }

  @Override
  public void onBatch() {}

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public long delayNs() {
    return 0;
  }

  @Override
  public void stop() {}
}
