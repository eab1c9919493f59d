package io.entroq.engine.call;

import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.QueuesPage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.ExpandableArrayBuffer;

/** Lists queues with their statistics. */
public final class QueuesRequest extends ListingRequest<Map<String, QueueStats>> {
  private final QueueQuery query;
  private final boolean omitStats;
  private final Map<String, QueueStats> queues = new LinkedHashMap<>();

  /**
   * @param omitStats whether to list names and sizes only
   * @param bytesMax longest result allowed, in bytes
   */
  public QueuesRequest(QueueQuery query, boolean omitStats, int bytesMax) {
    super(bytesMax);
    this.query = query;
    this.omitStats = omitStats;
  }

  @Override
  public long bytesAtLeast() {
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
  public int encode(RequestEncoder encoder, ExpandableArrayBuffer buffer) {
    return encoder.queues(buffer, query, omitStats);
  }

  @Override
  Page open(ExpandableArrayBuffer buffer, int length) {
    return new QueuesPage(buffer, 0, length);
  }

  @Override
  Map<String, QueueStats> take(ReplyReader reply) {
    reply.addQueues(queues);
    return queues;
  }

  @Override
  String advice() {
    return "request less at a time: prefixes of names, or a limit";
  }
}
