package io.entroq.service.call;

/**
 * Sits between a transport and a call, and forwards everything in both directions. Any thread.
 *
 * @param <S> the response
 */
public abstract class InterceptedCall<S> extends ForwardingReply<S> implements Call {
  private volatile Call call = Call.done();

  /** Forwards to a reply. */
  protected InterceptedCall(Reply<S> reply) {
    super(reply);
  }

  /** Sets the call that was started with this as its reply. */
  public final Call started(Call running) {
    call = running;
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
