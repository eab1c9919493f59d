package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;

/**
 * Receives the response to a Modify that does nothing, sent under the identity of another one to
 * find out whether that was done before. If it succeeds, the other is new, and its identity is now
 * used up.
 */
final class ProbeReply implements Reply<ModifyResponse> {
  private final Runnable isNew;
  private final Runnable isRepeated;
  private final Reply<?> reply;

  ProbeReply(Runnable isNew, Runnable isRepeated, Reply<?> reply) {
    this.isNew = isNew;
    this.isRepeated = isRepeated;
    this.reply = reply;
  }

  @Override
  public void position(long position) {
    // Not the response.
  }

  @Override
  public void send(ModifyResponse response) {
    isNew.run();
  }

  @Override
  public void fail(Refusal refusal) {
    if (refusal.equals(Refusal.IDENTITY_REUSED)) {
      isRepeated.run();
    } else {
      reply.fail(refusal);
    }
  }
}
