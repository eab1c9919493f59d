package io.entroq.cluster.session;

import io.entroq.engine.replica.Sequencer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** Control messages that wait to be sent in the member's session. */
final class ControlOutbox {
  /** More than a member sends before it repeats a lost message. */
  static final int MAX = 64;

  private final ManyToOneConcurrentArrayQueue<DirectBuffer> waiting =
      new ManyToOneConcurrentArrayQueue<>(MAX);

  /** Adds a message, or drops it if too many wait. Any thread. */
  void add(DirectBuffer message) {
    boolean unused = waiting.offer(message);
  }

  /**
   * Sends the first message if the session accepts it. Proposing thread.
   *
   * @return number of messages sent: 0 or 1
   */
  int send(Sequencer sequencer) {
    DirectBuffer message = waiting.peek();
    if (message == null || !sequencer.offer(message, 0, message.capacity())) {
      return 0;
    }
    waiting.poll();
    return 1;
  }
}
