package io.entroq.simulator.host;

import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import java.util.ArrayDeque;

/**
 * Replies that must not leave before everything that they have seen is on the disk, in the order in
 * which they were made. One thread.
 */
final class HeldReplies {
  private final ArrayDeque<Held> replies = new ArrayDeque<>();

  private record Held(long seen, Request request, ReplyEnd end, Reply reply) {}

  /**
   * @param seen the newest record that the reply may tell of; not below that of the one before
   */
  void add(long seen, Request request, ReplyEnd end, Reply reply) {
    replies.add(new Held(seen, request, end, reply));
  }

  boolean isEmpty() {
    return replies.isEmpty();
  }

  /** Everything up to this record is on the disk. */
  void release(long forcedSequence, EngineObserver observer) {
    while (!replies.isEmpty() && replies.peek().seen <= forcedSequence) {
      Held held = replies.poll();
      observer.onReply(held.seen);
      held.end.reply(held.request, held.reply);
    }
  }

  /** Nobody will ever know whether it gets there. */
  void endAll(Reply with) {
    for (Held held = replies.poll(); held != null; held = replies.poll()) {
      held.end.reply(held.request, with);
    }
  }
}
