package io.entroq.service.call;

import io.entroq.service.translation.Refusal;

/**
 * Where the one answer to a request goes. Answered once, on any thread; neither blocks nor throws.
 *
 * @param <S> the message of the answer
 */
public interface Reply<S> {
  /**
   * Tells how far the log had come that the answer has seen. Before the answer, if it is known.
   *
   * @param position from 1
   */
  void position(long position);

  /**
   * Tells how much of the answer is in memory so far. Before more of it is asked for.
   *
   * @param bytes all of it, whether it has been sent or not
   * @return whether to go on; if not, the request is begun anew when there is room, and this
   *     attempt at it is over
   */
  default boolean holds(long bytes) {
    return true;
  }

  /**
   * Takes room for an answer that can still be done without. Before it is sent, if it is more than
   * its request.
   *
   * @param bytes how long it is
   * @return false if there is none; then whatever it would tell of is to be undone, and refused
   */
  default boolean hasRoom(long bytes) {
    return true;
  }

  /** There is an answer. */
  void send(S response);

  /** There is none. */
  void fail(Refusal refusal);
}
