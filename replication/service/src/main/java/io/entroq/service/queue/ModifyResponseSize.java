package io.entroq.service.queue;

import com.google.protobuf.CodedOutputStream;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.RefusedException;

/**
 * The size of the response to a Modify, which repeats what the request writes. Estimated before
 * anything is done: a caller that cannot receive the response would not learn of it.
 */
final class ModifyResponseSize {
  /** No item has more beside its data, except for an id or keys longer than usual. */
  private static final int ITEM_BYTES_MAX = 256;

  /** Framing, version, number of claims, and three times. */
  private static final int FIXED_BYTES = 38;

  /** A new id: hex digits, or a UUID over the v0 API. */
  private static final int ID_BYTES = 38;

  private ModifyResponseSize() {}

  /**
   * The room that the response leaves for the tasks whose leases change: all but what is known of
   * the request alone.
   *
   * @param bytesMax of the response
   * @return bytes, above 0
   * @throws RefusedException if there is none
   */
  static int room(ModifyRequest request, int bytesMax) {
    long items =
        (long) request.getInsertsCount()
            + request.getChangesCount()
            + request.getDocInsertsCount()
            + request.getDocChangesCount();
    long bytes = request.getSerializedSize() + items * ITEM_BYTES_MAX;
    if (bytes >= bytesMax) {
      bytes = estimate(request);
    }
    if (bytes >= bytesMax) {
      throw new RefusedException(
          Limit.MESSAGE_BYTES.refusal(
              ("the response would have about %,d bytes, more than the %,d of a message; nothing"
                      + " was done. Split the request")
                  .formatted(bytes, bytesMax)));
    }
    return (int) (bytesMax - bytes);
  }

  private static long estimate(ModifyRequest request) {
    long each =
        (long) FIXED_BYTES + CodedOutputStream.computeStringSize(1, request.getClaimantId());
    long bytes = 0;
    for (TaskData task : request.getInsertsList()) {
      bytes += each + task.getSerializedSize() + (task.getId().isEmpty() ? ID_BYTES : 0);
    }
    for (TaskChange change : request.getChangesList()) {
      bytes +=
          each + change.getNewData().getSerializedSize() + change.getOldId().getSerializedSize();
    }
    for (DocData doc : request.getDocInsertsList()) {
      bytes += each + doc.getSerializedSize() + (doc.getId().isEmpty() ? ID_BYTES : 0);
    }
    for (DocChange change : request.getDocChangesList()) {
      bytes +=
          each + change.getNewData().getSerializedSize() + change.getOldId().getSerializedSize();
    }
    return bytes;
  }
}
