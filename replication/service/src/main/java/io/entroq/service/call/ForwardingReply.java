package io.entroq.service.call;

import io.entroq.service.translation.Refusal;

/**
 * Forwards everything to another reply.
 *
 * @param <S> the response
 */
public abstract class ForwardingReply<S> implements Reply<S> {
  /** Where this forwards to. */
  protected final Reply<S> reply;

  /** Forwards to a reply. */
  protected ForwardingReply(Reply<S> reply) {
    this.reply = reply;
  }

  @Override
  public void position(long position) {
    reply.position(position);
  }

  @Override
  public void metadata(String name, String value) {
    reply.metadata(name, value);
  }

  @Override
  public boolean holds(long bytes) {
    return reply.holds(bytes);
  }

  @Override
  public boolean hasRoom(long bytes) {
    return reply.hasRoom(bytes);
  }

  @Override
  public boolean isReady() {
    return reply.isReady();
  }

  @Override
  public void send(S response) {
    reply.send(response);
  }

  @Override
  public void complete() {
    reply.complete();
  }

  @Override
  public void fail(Refusal refusal) {
    reply.fail(refusal);
  }
}
