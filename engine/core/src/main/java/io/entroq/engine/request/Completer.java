package io.entroq.engine.request;

/**
 * Completes requests; any thread.
 *
 * <p>Blocking callers are woken directly. Futures complete on a thread of their own, so that users'
 * code never runs on the engine's threads. A server's requests complete on the borrowed thread that
 * does the work, or else on the thread that submitted them.
 */
public final class Completer {
  private final RequestLimits limits;
  private final SlotQueue replies;
  private final EngineOwnership ownership;

  public Completer(RequestLimits limits, SlotQueue replies, EngineOwnership ownership) {
    this.limits = limits;
    this.replies = replies;
    this.ownership = ownership;
  }

  public void complete(RequestSlot slot, RequestOutcome outcome, Throwable cause) {
    boolean isAsync = slot.completion != null;
    BorrowedThread here = slot.isFromGateway ? ownership.here() : null;
    BorrowedThread home = slot.home;
    if (!slot.complete(outcome, cause)) {
      // A caller that abandons a slot does not release its permits.
      limits.release(slot);
    } else if (here != null) {
      here.add(slot);
    } else if (home != null) {
      home.hand(slot);
    } else if (isAsync) {
      replies.add(slot);
    }
  }
}
