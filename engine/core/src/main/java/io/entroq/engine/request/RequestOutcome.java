package io.entroq.engine.request;

/** How a submitted request ended. */
public enum RequestOutcome {
  /** There is a result. */
  REPLIED,
  /** The engine could not read the request or had no room for it; nothing happened. */
  REFUSED,
  /** The engine stopped before it reached the request; nothing happened. */
  NOT_STARTED,
  /** The engine failed while executing the request; the outcome is unknown. */
  UNKNOWN
}
