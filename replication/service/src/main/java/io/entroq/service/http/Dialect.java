package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.edge.Refusal;
import java.util.OptionalLong;

/** How the messages of a call are written into requests and answers of HTTP. */
interface Dialect {
  /**
   * Reads what is asked for.
   *
   * @throws io.entroq.service.edge.RefusedException if it cannot be read
   */
  void read(Request request, Message.Builder message);

  /**
   * When the caller stops to wait, as {@link System#nanoTime()} tells time; none if he has not said
   * so.
   *
   * @throws io.entroq.service.edge.RefusedException if that cannot be read
   */
  OptionalLong deadline(Request request);

  /** An answer. */
  Response answer(Message message);

  /** None. */
  Response refusal(Refusal refusal);
}
