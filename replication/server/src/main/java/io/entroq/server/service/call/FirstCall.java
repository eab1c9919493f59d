package io.entroq.server.service.call;

import com.google.protobuf.ByteString;
import io.entroq.server.service.edge.Refusal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The first request of a client, of which it is told what becomes of it. Any thread. */
final class FirstCall<S> implements Call, Reply<S> {
  private final FirstRequests firsts;
  private final ByteString client;
  private final Reply<S> reply;
  private final AtomicBoolean hasEnded = new AtomicBoolean();
  private volatile Call call = Call.done();

  FirstCall(FirstRequests firsts, ByteString client, Reply<S> reply) {
    this.firsts = firsts;
    this.client = client;
    this.reply = reply;
  }

  Call begin(Function<Reply<S>, Call> request) {
    firsts.begin(client);
    call = request.apply(this);
    return this;
  }

  @Override
  public void cancel() {
    call.cancel();
    // It may have been waiting for its turn, or for the authorizer.
    end(true);
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
    end(false);
    reply.send(response);
  }

  @Override
  public void fail(Refusal refusal) {
    end(isBeforeTheEngine(refusal));
    reply.fail(refusal);
  }

  /** Whether the engine may not have seen what is refused so. */
  private static boolean isBeforeTheEngine(Refusal refusal) {
    return switch (refusal.code()) {
      case PERMISSION_DENIED, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED, CANCELLED -> true;
      case INVALID_ARGUMENT -> !refusal.equals(Refusal.IDENTITY_REUSED);
      default -> false;
    };
  }

  private void end(boolean isRefused) {
    if (hasEnded.compareAndSet(false, true)) {
      firsts.end(client, isRefused);
    }
  }
}
