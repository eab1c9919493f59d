package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;

/**
 * Receives the response to an empty Modify that is sent with the identity of another one, to find
 * out whether that one ran before. If the probe succeeds, it did not, and its identity is now used.
 */
final class ProbeReply implements Reply<ModifyResponse> {
  private final Runnable isNew;
  private final Runnable isRetry;
  private final Reply<?> reply;

  ProbeReply(Runnable isNew, Runnable isRetry, Reply<?> reply) {
    this.isNew = isNew;
    this.isRetry = isRetry;
    this.reply = reply;
  }

  @Override
  public void position(long position) {
    // This response does not reach the caller.
  }

  @Override
  public void send(ModifyResponse response) {
    isNew.run();
  }

  @Override
  public void fail(Refusal refusal) {
    if (refusal.equals(Refusal.IDENTITY_REUSED)) {
      isRetry.run();
    } else {
      reply.fail(refusal);
    }
  }
}
