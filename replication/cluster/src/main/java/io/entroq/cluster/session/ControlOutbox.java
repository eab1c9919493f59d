package io.entroq.cluster.session;

import io.entroq.engine.replica.Sequencer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** What members say beside the commands, until there is room for it; none displaces another. */
final class ControlOutbox {
  /** More than a member has to say in the time after which it is said again. */
  static final int MAX = 64;

  private final ManyToOneConcurrentArrayQueue<DirectBuffer> waiting =
      new ManyToOneConcurrentArrayQueue<>(MAX);

  /** Adds one, or drops it where too many wait. Any thread. */
  void add(DirectBuffer word) {
    boolean unused = waiting.offer(word);
  }

  /**
   * Sends the first, if there is room for it. Proposing thread.
   *
   * @return how many were sent: 0 or 1
   */
  int send(Sequencer ordering) {
    DirectBuffer word = waiting.peek();
    if (word == null || !ordering.offer(word, 0, word.capacity())) {
      return 0;
    }
    waiting.poll();
    return 1;
  }
}
