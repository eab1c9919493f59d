package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.translation.Refusal;
import java.util.OptionalLong;

/** Converts between the messages of a call and HTTP requests and responses. */
public interface Dialect {
  /**
   * @throws io.entroq.service.translation.RefusedException if the message cannot be read
   */
  void read(ApiRequest request, Message.Builder message);

  /**
   * The caller's deadline, as {@link System#nanoTime()}; empty if there is none.
   *
   * @throws io.entroq.service.translation.RefusedException if it cannot be read
   */
  OptionalLong deadline(ApiRequest request);

  /** Whether blanks may precede the message of a response. */
  boolean allowsBlanks();

  /**
   * @param defaults in JSON
   */
  ApiResponse response(Message message, Defaults defaults);

  /**
   * @param defaults in JSON
   */
  ApiResponse refusal(Refusal refusal, Defaults defaults);
}
