package io.entroq.perf.served;

import java.time.Duration;

/** A load that can be put on a server, time and again. */
interface Cycles {
  /**
   * Puts it on for a while.
   *
   * @param warmUp at first, which does not count
   */
  Measured run(Duration warmUp, Duration duration) throws InterruptedException;
}
