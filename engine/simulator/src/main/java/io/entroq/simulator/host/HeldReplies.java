package io.entroq.simulator.host;

import io.entroq.simulator.call.PendingRequest;
import io.entroq.simulator.call.Reply;
import java.util.ArrayDeque;

/**
 * Replies that must not leave before every record that they show is on the disk, in the order in
 * which they were made. One thread.
 */
final class HeldReplies {
  private final ArrayDeque<Held> replies = new ArrayDeque<>();

  private record Held(long seen, PendingRequest pending, Reply reply) {}

  /**
   * @param seen the newest record that the reply may show; not below that of the reply before
   */
  void add(long seen, PendingRequest pending, Reply reply) {
    replies.add(new Held(seen, pending, reply));
  }

  boolean isEmpty() {
    return replies.isEmpty();
  }

  /** Everything up to this record is on the disk. */
  void release(long forcedSequence, EngineObserver observer) {
    while (!replies.isEmpty() && replies.peek().seen <= forcedSequence) {
      Held held = replies.poll();
      observer.onReply(held.seen);
      held.pending.reply(held.reply);
    }
  }

  /** Answers all requests with another reply. */
  void endAll(Reply with) {
    replies.forEach(held -> held.pending.reply(with));
    replies.clear();
  }
}
