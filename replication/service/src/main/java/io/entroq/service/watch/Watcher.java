package io.entroq.service.watch;

import io.entroq.service.call.CallContext;

/** Sees requests come and go. Any thread; neither blocks nor throws. */
@FunctionalInterface
public interface Watcher {
  /**
   * A request is about to begin.
   *
   * @return hears of its end
   */
  Watch begun(Method method, CallContext context);
}
