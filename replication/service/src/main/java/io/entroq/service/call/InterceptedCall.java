package io.entroq.service.call;

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

  /** The call has started, with this as its reply. */
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
