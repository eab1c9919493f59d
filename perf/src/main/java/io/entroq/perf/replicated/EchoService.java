package io.entroq.perf.replicated;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/** Answers each committed message with its first eight bytes. */
final class EchoService implements ClusteredService {
  static final int ANSWER_BYTES = BitUtil.SIZE_OF_LONG;

  private Cluster cluster;

  @Override
  public void onStart(Cluster started, Image snapshotImage) {
    cluster = started;
  }

  @Override
  public void onSessionOpen(ClientSession session, long timestamp) {}

  @Override
  public void onSessionClose(ClientSession session, long timestamp, CloseReason closeReason) {}

  @Override
  public void onSessionMessage(
      ClientSession session,
      long timestamp,
      DirectBuffer buffer,
      int offset,
      int length,
      Header header) {
    cluster.idleStrategy().reset();
    while (session.offer(buffer, offset, ANSWER_BYTES) < 0 && !session.isClosing()) {
      cluster.idleStrategy().idle();
    }
  }

  @Override
  public void onTimerEvent(long correlationId, long timestamp) {}

  @Override
  public void onTakeSnapshot(ExclusivePublication snapshotPublication) {}

  @Override
  public void onRoleChange(Cluster.Role newRole) {}

  @Override
  public void onTerminate(Cluster terminating) {}
}
