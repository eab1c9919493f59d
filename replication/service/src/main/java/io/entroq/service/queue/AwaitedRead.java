package io.entroq.service.queue;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.function.Supplier;

/** A read that first waits until the log has reached the position that its caller has seen. */
final class AwaitedRead implements Call, Completion {
  private final Reply<?> reply;
  private final Supplier<Call> read;
  private final long position;

  /** First the wait, then the read. */
  private volatile Call current = Call.done();

  private boolean isCancelled;

  /**
   * @param read starts the read
   */
  AwaitedRead(long position, Reply<?> reply, Supplier<Call> read) {
    this.position = position;
    this.reply = reply;
    this.read = read;
  }

  synchronized AwaitedRead start(Gateway gateway, long patienceNs) {
    if (patienceNs <= 0) {
      reply.fail(late());
    } else {
      current = Call.of(gateway.reached(position, patienceNs, this));
    }
    return this;
  }

  @Override
  public void onResult(ResultDecoder result) {
    if (result.code() == ResultCodes.TIMED_OUT) {
      reply.fail(late());
      return;
    }
    synchronized (this) {
      if (!isCancelled) {
        try {
          current = read.get();
        } catch (RuntimeException e) {
          reply.fail(ResultReply.refusal(e));
        }
      }
    }
  }

  private Refusal late() {
    return new Refusal(
        Status.Code.DEADLINE_EXCEEDED,
        "entroq-min-position: the log has not reached " + position + " in time");
  }

  @Override
  public void onFailure(EntroQException failure) {
    reply.fail(Refusal.of(failure));
  }

  @Override
  public synchronized void cancel() {
    isCancelled = true;
    current.cancel();
  }

  @Override
  public void delivered() {
    current.delivered();
  }

  @Override
  public void ready() {
    current.ready();
  }
}
