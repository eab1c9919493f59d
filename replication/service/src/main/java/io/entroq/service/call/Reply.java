package io.entroq.service.call;

import io.entroq.service.translation.Refusal;

/**
 * Receives the response to a request. A method with one response calls {@link #send} or {@link
 * #fail} once. A streaming method calls {@link #send} while {@link #isReady}, and ends with {@link
 * #complete} or {@link #fail}. Any thread, one at a time; neither blocks nor throws.
 *
 * @param <S> the response, or one of several
 */
public interface Reply<S> {
  /**
   * Sets the log position that the response reflects. Called before the response, if it is known.
   *
   * @param position from 1
   */
  void position(long position);

  /**
   * Adds to the metadata of the response: a header over HTTP, a trailer over gRPC, and nothing on a
   * stream of requests. Called before the response.
   *
   * @param name in lower case, from the product alone
   * @param value printable ASCII
   */
  default void metadata(String name, String value) {}

  /**
   * Reports how much of the response is in memory, before more of it is read.
   *
   * @param bytes in total, sent or not
   * @return whether to continue. If false, this attempt is over, and the request is started again
   *     when there is room
   */
  default boolean holds(long bytes) {
    return true;
  }

  /**
   * Reserves memory for a response that can still be undone. Called before it is sent, if it is
   * larger than its request.
   *
   * @return false if there is none; then the caller undoes what the response would report, and
   *     refuses
   */
  default boolean hasRoom(long bytes) {
    return true;
  }

  /** Whether a stream may send another response without filling memory. */
  default boolean isReady() {
    return true;
  }

  /** Sends the response, or the next one of a stream. */
  void send(S response);

  /** Ends a stream. */
  default void complete() {
    throw new IllegalStateException("only a stream is completed");
  }

  /** Refuses the request, or ends a stream with an error. */
  void fail(Refusal refusal);
}
