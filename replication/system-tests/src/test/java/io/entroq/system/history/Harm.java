package io.entroq.system.history;

/** In which way a queue can be wrong. */
public enum Harm {
  /** What was acknowledged is not there, or was denied. */
  LOST,
  /** One version of one task had two ends, or two holders; or an end was none. */
  DOUBLED,
  /** Something is there that nobody asked for, or that was refused. */
  PHANTOM,
  /** Something did not end. */
  STUCK,
  /** A caller was not shown what he had written. */
  STALE,
  /** A member ended by itself and nothing that befell it explains that, or members differ. */
  ENDED,
  /** A member left more behind than it should, or something else than it had. */
  REMAINS
}
