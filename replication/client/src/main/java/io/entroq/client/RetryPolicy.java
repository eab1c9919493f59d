package io.entroq.client;

/** When a request may be sent again. */
enum RetryPolicy {
  /** As long as no server can have seen it. */
  IF_UNSENT,
  /** After a failure, though a server may have seen it. */
  AFTER_FAILURE,
  /** Also while it is under way: whoever gets it twice does it once, or changes nothing. */
  ANY_TIME
}
