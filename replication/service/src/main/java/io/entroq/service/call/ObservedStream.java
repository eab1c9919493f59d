package io.entroq.service.call;

import io.grpc.Status;

/** The same for a request that has several answers. */
final class ObservedStream<S> extends ObservedCall<S> implements StreamReply<S> {
  private final StreamReply<S> reply;

  ObservedStream(CallEnd watch, StreamReply<S> reply) {
    super(watch, reply);
    this.reply = reply;
  }

  @Override
  public void send(S response) {
    reply.send(response);
  }

  @Override
  public boolean isReady() {
    return reply.isReady();
  }

  @Override
  public void complete() {
    end(Status.Code.OK);
    reply.complete();
  }
}
