package io.entroq.engine.result;

import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.codec.result.QueueStatsFields;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.engine.listing.QueueCounts;
import io.entroq.engine.listing.QueueCursor;
import io.entroq.engine.listing.QueueVisitor;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;

/** A listing of queues with their counts. */
public final class QueuesPage extends Page implements QueueVisitor {

  /** An upper bound on the bytes of a queue beyond its name. */
  private static final int FIXED_BYTES = 192;

  private final QueueStatsFields fields = new QueueStatsFields();
  private final QueueCursor cursor;

  /**
   * Begins a listing.
   *
   * @param query a ListQueues, which must not change until the listing is done
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public QueuesPage(DirectBuffer query, int offset, int length) {
    ListQueuesDecoder decoder = new ListQueuesDecoder();
    decoder.wrap(query, offset, length);
    cursor = new QueueCursor(decoder);
  }

  @Override
  boolean go(StateMachine machine, long nowMs, int effort) {
    return machine.listQueues(cursor, nowMs, effort, this);
  }

  @Override
  public boolean isLast() {
    return cursor.isDone();
  }

  @Override
  public boolean onQueue(DirectBuffer name, int offset, int length, QueueCounts figures) {
    ResultEncoder encoder = room(FIXED_BYTES + length);
    if (encoder == null) {
      return false;
    }
    fields.clear();
    fields.name().wrap(name, offset, length);
    fields
        .tasks(figures.tasks())
        .available(figures.available())
        .claimed(figures.claimed())
        .held(figures.held())
        .future(figures.future())
        .maxClaims(figures.claimsMax())
        .oldestAgeMs(figures.oldestAgeMs())
        .inFlight(figures.inFlight())
        .pausedUntilMs(figures.pausedUntilMs())
        .nextStartMs(figures.nextStartMs())
        .claimable(figures.claimable())
        .lapsed(figures.lapsed())
        .dead(figures.dead())
        .bytes(figures.bytes());
    encoder.queue(fields);
    return true;
  }
}
