package io.entroq.service.call;

import java.util.function.Function;

/**
 * Stands between a transport and a call, both ways, and passes everything on. Any thread.
 *
 * @param <S> the response
 */
public abstract class InterceptedCall<S> extends ForwardingReply<S> implements Call {
  private volatile Call call = Call.done();

  /** In front of a reply. */
  protected InterceptedCall(Reply<S> reply) {
    super(reply);
  }

  /**
   * Starts the call.
   *
   * @param start gets this as its reply
   */
  public final Call start(Function<Reply<S>, Call> start) {
    call = start.apply(this);
    return this;
  }

  @Override
  public void cancel() {
    call.cancel();
  }

  @Override
  public void withdraw() {
    call.withdraw();
  }

  @Override
  public void delivered() {
    call.delivered();
  }

  @Override
  public void ready() {
    call.ready();
  }
}
