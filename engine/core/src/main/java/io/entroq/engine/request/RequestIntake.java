package io.entroq.engine.request;

/** Takes requests from the queue, on the one thread that executes them. */
public final class RequestIntake {
  /** Requests per batch. */
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

  /** Executes a batch; returns the number of requests. */
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

  /** Only a slot with a lane is queued twice: the second time because its caller gave up. */
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
