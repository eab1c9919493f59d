package io.entroq.service.queue;

import com.google.protobuf.MessageLite;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.service.call.Reply;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.RefusedException;

/**
 * The size of the largest response. Tasks that do not fit into it are given back, since their
 * caller would not learn that it has claimed them.
 */
record ResponseSize(int bytesMax) {
  private boolean fits(MessageLite message) {
    return message.getSerializedSize() <= bytesMax;
  }

  /**
   * The response to a Modify. If its claimed tasks do not fit, or there is no memory for them, runs
   * {@code giveBack} and leaves them out. The rest has been done and is reported.
   */
  ModifyResponse modified(ModifyResponse response, Reply<?> reply, Runnable giveBack) {
    if (response.getClaimedCount() == 0
        || (fits(response) && reply.hasRoom(response.getSerializedSize()))) {
      return response;
    }
    giveBack.run();
    return response.toBuilder().clearClaimed().build();
  }

  /**
   * The response to a claim. If it does not fit, or there is no memory for it, runs {@code
   * giveBack} and refuses.
   */
  ClaimResponse claimed(ClaimResponse response, Reply<?> reply, Runnable giveBack) {
    if (!response.hasTask()) {
      return response;
    }
    if (fits(response)) {
      if (reply.hasRoom(response.getSerializedSize())) {
        return response;
      }
      giveBack.run();
      throw new RefusedException(
          Limit.CALL_BYTES.refusal(
              ("unread responses leave no room for one of %,d bytes; its tasks were given back, and"
                      + " nothing is claimed. Try again later")
                  .formatted(response.getSerializedSize())));
    }
    giveBack.run();
    throw new RefusedException(
        Limit.MESSAGE_BYTES.refusal(
            ("%,d tasks have %,d bytes, more than the %,d of a message; they were given back, and"
                    + " nothing is claimed. Ask for fewer")
                .formatted(response.getMoreCount() + 1, response.getSerializedSize(), bytesMax)));
  }
}
