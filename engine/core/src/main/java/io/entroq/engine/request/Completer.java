package io.entroq.engine.request;

/**
 * Gives slots back to those who wait for them; any thread.
 *
 * <p>Blocking callers are woken directly. For the rest a thread of its own runs what users have
 * chained to their futures, so that nothing of theirs runs on the threads of the engine. What
 * servers are told, they are told on the thread that they have lent and that does the work, or else
 * on the one that the request came on.
 */
public final class Completer {
  private final RequestLimits limits;
  private final SlotQueue replies;
  private final EngineOwnership seat;

  public Completer(RequestLimits limits, SlotQueue replies, EngineOwnership seat) {
    this.limits = limits;
    this.replies = replies;
    this.seat = seat;
  }

  public void complete(RequestSlot slot, RequestOutcome ending, Throwable cause) {
    boolean isAsync = slot.completion != null;
    BorrowedThread here = slot.isOfGateway ? seat.here() : null;
    BorrowedThread home = slot.home;
    if (!slot.complete(ending, cause)) {
      // Nobody else will: whoever abandons a slot leaves its share of the bounds with it.
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
