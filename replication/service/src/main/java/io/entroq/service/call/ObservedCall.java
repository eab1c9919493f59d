package io.entroq.service.call;

import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Reports once how a call ended. */
final class ObservedCall<S> extends InterceptedCall<S> {
  private final boolean isStream;
  private final Consumer<Status.Code> onEnd;
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  ObservedCall(boolean isStream, Consumer<Status.Code> onEnd, Reply<S> reply) {
    super(reply);
    this.isStream = isStream;
    this.onEnd = onEnd;
  }

  private void end(Status.Code code) {
    if (hasEnded.compareAndSet(false, true)) {
      onEnd.accept(code);
    }
  }

  @Override
  public void send(S response) {
    if (!isStream) {
      end(Status.Code.OK);
    }
    super.send(response);
  }

  @Override
  public void complete() {
    end(Status.Code.OK);
    super.complete();
  }

  @Override
  public void fail(Refusal refusal) {
    end(refusal.code());
    super.fail(refusal);
  }

  @Override
  public void cancel() {
    end(Status.Code.CANCELLED);
    super.cancel();
  }
}
