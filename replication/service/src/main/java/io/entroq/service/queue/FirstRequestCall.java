package io.entroq.service.queue;

import com.google.protobuf.ByteString;
import io.entroq.service.call.Call;
import io.entroq.service.call.InterceptedCall;
import io.entroq.service.call.Reply;
import io.entroq.service.queue.FirstRequests.Outcome;
import io.entroq.service.translation.Refusal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The first request of a client. Reports its outcome to {@link FirstRequests}. Any thread. */
final class FirstRequestCall<S> extends InterceptedCall<S> {
  private final FirstRequests firsts;
  private final ByteString client;
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  FirstRequestCall(FirstRequests firsts, ByteString client, Reply<S> reply) {
    super(reply);
    this.firsts = firsts;
    this.client = client;
  }

  Call begin(Function<Reply<S>, Call> request) {
    firsts.begin(client);
    return started(request.apply(this));
  }

  @Override
  public void cancel() {
    super.cancel();
    // It may have been waiting for admission or the authorizer.
    end(Outcome.UNSETTLED);
  }

  @Override
  public void send(S response) {
    end(Outcome.TAKEN);
    reply.send(response);
  }

  @Override
  public void fail(Refusal refusal) {
    end(outcome(refusal));
    reply.fail(refusal);
  }

  private static Outcome outcome(Refusal refusal) {
    return switch (refusal.code()) {
      case PERMISSION_DENIED, UNAUTHENTICATED -> Outcome.REFUSED;
      case INVALID_ARGUMENT ->
          refusal.equals(Refusal.IDENTITY_REUSED) ? Outcome.TAKEN : Outcome.REFUSED;
      case RESOURCE_EXHAUSTED, UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> Outcome.UNSETTLED;
      default -> Outcome.TAKEN;
    };
  }

  private void end(Outcome outcome) {
    if (hasEnded.compareAndSet(false, true)) {
      firsts.end(client, outcome);
    }
  }
}
