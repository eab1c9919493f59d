package io.entroq.service.call;

import io.grpc.Status;
import java.util.function.Consumer;

/** Sees calls start and end. Any thread; neither blocks nor throws. */
@FunctionalInterface
public interface CallObserver {
  /**
   * A call is about to start.
   *
   * @return runs once, when the call ends: with OK when the response is handed over, with CANCELLED
   *     when nobody waits for it
   */
  Consumer<Status.Code> started(Method<?, ?> method, CallContext context);
}
