package io.entroq.engine.embedded;

import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import java.util.Map;

/** Asks for queues and how they stand. */
final class QueuesRequest extends Request<Map<String, QueueStats>> {
  private final QueueQuery query;
  private final boolean omitStats;

  /**
   * @param omitStats whether names and sizes are enough
   */
  QueuesRequest(QueueQuery query, boolean omitStats) {
    super(RequestKind.LIST_QUEUES);
    this.query = query;
    this.omitStats = omitStats;
  }

  @Override
  long bytesAtLeast() {
    long bytes = 0;
    for (String prefix : query.prefixes()) {
      bytes += prefix.length();
    }
    for (String name : query.names()) {
      bytes += name.length();
    }
    return bytes;
  }

  @Override
  int encode(RequestSlot slot) {
    return slot.encoder().queues(slot.command(), query, omitStats);
  }

  @Override
  Map<String, QueueStats> answer(ReplyReader reply) {
    return reply.queues();
  }
}
