package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.service.translation.Refusal;
import java.util.OptionalLong;

/** How a protocol writes the messages of a call into HTTP requests and responses. */
public interface Dialect {
  /**
   * Reads what is asked for.
   *
   * @throws io.entroq.service.translation.RefusedException if it cannot be read
   */
  void read(ApiRequest request, Message.Builder message);

  /**
   * When the caller stops to wait, as {@link System#nanoTime()} tells time; none if he has not said
   * so.
   *
   * @throws io.entroq.service.translation.RefusedException if that cannot be read
   */
  OptionalLong deadline(ApiRequest request);

  /** An answer. */
  ApiResponse answer(Message message);

  /** None. */
  ApiResponse refusal(Refusal refusal);
}
