package io.entroq.service.call;

import com.google.protobuf.Message;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.Optional;

/**
 * Handles the calls of one API for all transports. A {@link ServiceFilter} wraps another service.
 * Any thread; does not block.
 */
public interface Service {
  /** The API that it serves. */
  Facade facade();

  /**
   * Why a request is invalid, whatever is stored and whoever asks; empty if it is not. {@link
   * #handle} would refuse it with the same words, but perhaps after other refusals.
   *
   * @param context read while this runs
   */
  Optional<Refusal> check(Method<?, ?> method, CallContext context, Message request);

  /**
   * Starts a call. The reply gets its response, or what is wrong with the request.
   *
   * @param context read while this runs; {@linkplain CallContext#held held} for later use
   * @param reply may be called before this returns
   */
  <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply);
}
