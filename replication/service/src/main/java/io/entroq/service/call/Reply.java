package io.entroq.service.call;

import io.entroq.service.translation.Refusal;

/**
 * Where the response to a request goes. A method with one response calls {@link #send} or {@link
 * #fail} once. A method that streams calls {@link #send} as often as {@link #isReady} allows, and
 * ends with {@link #complete} or {@link #fail}. Any thread, one at a time; neither blocks nor
 * throws.
 *
 * @param <S> the response, or one of several
 */
public interface Reply<S> {
  /**
   * Sets how far the log had come when the response was made. Before the response, if it is known.
   *
   * @param position from 1
   */
  void position(long position);

  /**
   * Reports how much of the response is in memory, before more of it is read.
   *
   * @param bytes all of it, sent or not
   * @return whether to go on. If false, this attempt is over, and the request is started again when
   *     there is room
   */
  default boolean holds(long bytes) {
    return true;
  }

  /**
   * Reserves memory for a response that could still be undone. Before it is sent, if it is larger
   * than its request.
   *
   * @return false if there is none; then undo what the response would report, and refuse
   */
  default boolean hasRoom(long bytes) {
    return true;
  }

  /** Whether a stream may send one more response without piling up memory. */
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
