package io.entroq.service.call;

import com.google.protobuf.Message;
import io.entroq.service.translation.Facade;

/**
 * Handles the calls of one API, whichever transport carries them. One service may stand in front of
 * another one: see {@link ServiceFilter}. Any thread; does not block.
 */
public interface Service {
  /** Which API it is. */
  Facade facade();

  /**
   * Starts a call. Whatever is wrong with the request comes by the reply, as its response does.
   *
   * @param context read while this runs; what is needed later is {@linkplain CallContext#held held}
   * @param reply may be answered before this returns
   */
  <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply);
}
