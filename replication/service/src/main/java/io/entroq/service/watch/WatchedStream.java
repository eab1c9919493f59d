package io.entroq.service.watch;

import io.entroq.service.call.StreamReply;
import io.grpc.Status;

/** The same for a request that has several answers. */
final class WatchedStream<S> extends WatchedCall<S> implements StreamReply<S> {
  private final StreamReply<S> reply;

  WatchedStream(Watch watch, StreamReply<S> reply) {
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
