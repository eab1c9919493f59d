package io.entroq.client;

/** When a request may be sent again. */
enum RetryPolicy {
  /** Only if no server can have seen it. */
  IF_UNSENT,
  /** After a failure, even if a server may have seen it. */
  AFTER_FAILURE,
  /**
   * Even while an attempt is in progress: repeated requests take effect once, or have no effect.
   */
  ANY_TIME
}
