package io.entroq.engine.embedded;

/**
 * Gives slots back to those who wait for them; any thread.
 *
 * <p>Blocking callers are woken directly. For the rest a thread of its own runs what users have
 * chained to their futures, so that nothing of theirs runs on the threads of the engine.
 */
final class Completer {
  private final RequestLimits limits;
  private final SlotQueue replies;

  Completer(RequestLimits limits, SlotQueue replies) {
    this.limits = limits;
    this.replies = replies;
  }

  void complete(RequestSlot slot, Ending ending, Throwable cause) {
    boolean isAsync = slot.completion != null;
    if (!slot.complete(ending, cause)) {
      // Nobody else will: whoever abandons a slot leaves its share of the bounds with it.
      limits.release(slot);
    } else if (isAsync) {
      replies.add(slot);
    }
  }
}
