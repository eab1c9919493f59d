package io.entroq.engine.request;

/** Takes requests out of the queue. The one thread that takes them. */
public final class RequestIntake {
  /** Requests between two looks at everything else. */
  private static final int BATCH_MAX = 128;

  private final SlotQueue requests;
  private final Completer completer;
  private final Lanes lanes;
  private final RequestHandler handler;

  public RequestIntake(
      SlotQueue requests, Completer completer, Lanes lanes, RequestHandler handler) {
    this.requests = requests;
    this.completer = completer;
    this.lanes = lanes;
    this.handler = handler;
  }

  /** Takes a batch and returns how many it had. */
  public int takeBatch() {
    int taken = 0;
    RequestSlot slot = requests.poll();
    while (slot != null) {
      take(slot);
      taken++;
      slot = taken < BATCH_MAX ? requests.poll() : null;
    }
    return taken;
  }

  /** Only a slot with a lane comes twice, the second time because its caller has given up. */
  private void take(RequestSlot slot) {
    if (slot.isTaken) {
      giveUp(slot);
      return;
    }
    slot.isTaken = true;
    if (slot.isAbandoned()) {
      completer.complete(slot, RequestOutcome.NOT_STARTED, null);
    } else {
      handler.execute(slot);
    }
  }

  private void giveUp(RequestSlot slot) {
    Lane lane = slot.lane;
    if (lane == null) {
      throw new IllegalStateException("a request without a lane was submitted twice");
    }
    if (lane.isCallers() && !slot.isRefused) {
      handler.leave(slot);
      return;
    }
    if (lane.loggedNumber() < lane.number()) {
      lane.takeBack();
    } else {
      handler.cancel(lane);
    }
    lanes.giveBack(lane);
  }
}
