package io.entroq.engine.request;

/** Executes the requests that a {@link RequestIntake} takes; on the intake's thread. */
public interface RequestHandler {
  /** Executes a request that its caller still wants. */
  void execute(RequestSlot slot);

  /** The caller of a claim under its own identity leaves; it keeps what was assigned. */
  void leave(RequestSlot slot);

  /** Cancels the newest claim of a lane, or returns what it was assigned. */
  void cancel(Lane lane);
}
