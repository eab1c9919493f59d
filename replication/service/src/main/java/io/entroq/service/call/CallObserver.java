package io.entroq.service.call;

/** Sees requests come and go. Any thread; neither blocks nor throws. */
@FunctionalInterface
public interface CallObserver {
  /**
   * A request is about to begin.
   *
   * @return hears of its end
   */
  CallEnd begun(Method method, CallContext context);
}
