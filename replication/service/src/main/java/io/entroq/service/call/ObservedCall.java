package io.entroq.service.call;

import io.entroq.service.translation.Refusal;
import io.grpc.Status;

/** Sees a request from its beginning to its answer, or until nobody waits for that any more. */
class ObservedCall<S> implements Reply<S>, Call {
  private final CallEnd watch;
  private final Reply<S> reply;
  private volatile Call begun = Call.done();
  private boolean hasEnded;

  ObservedCall(CallEnd watch, Reply<S> reply) {
    this.watch = watch;
    this.reply = reply;
  }

  /** The request is on its way. */
  Call begun(Call call) {
    begun = call;
    return this;
  }

  final void end(Status.Code code) {
    synchronized (this) {
      if (hasEnded) {
        return;
      }
      hasEnded = true;
    }
    watch.ended(code);
  }

  @Override
  public void position(long position) {
    reply.position(position);
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
  public void send(S response) {
    end(Status.Code.OK);
    reply.send(response);
  }

  @Override
  public void fail(Refusal refusal) {
    end(refusal.code());
    reply.fail(refusal);
  }

  @Override
  public void cancel() {
    end(Status.Code.CANCELLED);
    begun.cancel();
  }

  @Override
  public void withdraw() {
    begun.withdraw();
  }

  @Override
  public void delivered() {
    begun.delivered();
  }

  @Override
  public void ready() {
    begun.ready();
  }
}
