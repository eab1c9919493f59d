package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.service.translation.Refusal;
import java.util.OptionalLong;

/** How a protocol writes the messages of a call into HTTP requests and responses. */
public interface Dialect {
  /**
   * Reads the request's message.
   *
   * @throws io.entroq.service.translation.RefusedException if it cannot be read
   */
  void read(ApiRequest request, Message.Builder message);

  /**
   * The caller's deadline, as {@link System#nanoTime()}; empty: none.
   *
   * @throws io.entroq.service.translation.RefusedException if that cannot be read
   */
  OptionalLong deadline(ApiRequest request);

  /** The response with a message. */
  ApiResponse answer(Message message);

  /** The response to a refused request. */
  ApiResponse refusal(Refusal refusal);
}
