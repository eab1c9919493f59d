package io.entroq.engine.request;

/** What an engine does with the requests that a {@link RequestIntake} takes. Its one thread. */
public interface RequestHandler {
  /** A request that nobody has begun with, and that its caller still wants. */
  void execute(RequestSlot slot);

  /** The caller of a claim under an identity of its own leaves; what was assigned stays its own. */
  void leave(RequestSlot slot);

  /** Ends the newest claim of a lane, or gives back what it was assigned. */
  void cancel(Lane lane);
}
