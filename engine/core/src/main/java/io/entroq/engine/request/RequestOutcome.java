package io.entroq.engine.request;

/** How a request that was handed over ended. */
public enum RequestOutcome {
  /** There is a result. */
  REPLIED,
  /** The engine could not read the request or has no room for it, and nothing happened. */
  REFUSED,
  /** The engine stopped before it got to the request, so nothing happened. */
  NOT_STARTED,
  /** The engine failed with the request under way: what became of it is not known. */
  UNKNOWN
}
