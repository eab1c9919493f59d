package io.entroq.examples.ratelimit;

import java.io.IOException;
import java.time.Duration;

/** An API with a limit. Called from several threads. */
interface RemoteApi {
  /** The status of HTTP for too many requests. */
  int TOO_MANY = 429;

  /**
   * What it answers.
   *
   * @param status as of HTTP
   * @param retryAfter with {@link #TOO_MANY}, how long to leave it alone
   */
  record Response(int status, Duration retryAfter) {}

  /** Sends a request; one that is repeated after a lost answer does nothing again. */
  Response call(String request) throws IOException;
}
