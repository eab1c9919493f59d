package io.entroq.service.queue;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.ForwardingReply;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.translation.Refusal;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A later request of a client that the engine may not know yet. If the client's first request was
 * refused here, this opens the client with a first request that does nothing. If the first request
 * may still be on its way, this waits for it. Any thread.
 */
final class LaterRequestCall<S> extends ForwardingReply<S> {
  /** The headers that later attempts need. */
  private static final Set<String> HEADERS = Set.of("authorization");

  private static final int ATTEMPTS_MAX = 16;

  private final FirstRequests firsts;
  private final Service open;
  private final ByteString client;
  private final boolean mayOvertake;
  private final Attempt<S> attempt;
  private final SteppedCall call = new SteppedCall();
  private CallContext context;
  private int attempts;

  /**
   * @param open opens the client
   * @param mayOvertake whether the first request may arrive after this one
   * @param attempt starts the request
   */
  LaterRequestCall(
      FirstRequests firsts,
      Service open,
      ByteString client,
      boolean mayOvertake,
      Attempt<S> attempt,
      Reply<S> reply) {
    super(reply);
    this.firsts = firsts;
    this.open = open;
    this.client = client;
    this.mayOvertake = mayOvertake;
    this.attempt = attempt;
  }

  Call begin(CallContext first) {
    context = first.held(HEADERS);
    again();
    return call;
  }

  private void again() {
    attempts++;
    call.step(() -> attempt.begin(context, this));
  }

  @Override
  public void send(S response) {
    firsts.known(client);
    reply.send(response);
  }

  @Override
  public void fail(Refusal refusal) {
    if (!refusal.equals(Refusal.CLIENT_UNKNOWN) || attempts == ATTEMPTS_MAX) {
      reply.fail(refusal);
    } else if (firsts.mayOpen(client, mayOvertake)) {
      call.step(() -> open.handle(Method.MODIFY, context, first(), new Opening()));
    } else if (mayOvertake && (attempts == 1 || firsts.isRunning(client))) {
      await(refusal);
    } else {
      reply.fail(refusal);
    }
  }

  private ModifyRequest first() {
    return ModifyRequest.newBuilder()
        .setClientId(client)
        .setRequestNumber(1)
        .setAckedBelow(1)
        .build();
  }

  private void await(Refusal refusal) {
    CompletableFuture<Void> ended = firsts.ended(client, context.origin());
    if (ended == null) {
      reply.fail(refusal);
      return;
    }
    call.step(
        () -> {
          CompletableFuture<Void> unused = ended.thenRun(this::again);
          return Call.done();
        });
  }

  @FunctionalInterface
  interface Attempt<S> {
    Call begin(CallContext context, Reply<S> reply);
  }

  /** Continues when the client is open. */
  private final class Opening implements Reply<ModifyResponse> {
    @Override
    public void position(long position) {
      // Not the response.
    }

    @Override
    public void send(ModifyResponse response) {
      firsts.known(client);
      again();
    }

    @Override
    public void fail(Refusal refusal) {
      if (refusal.equals(Refusal.IDENTITY_REUSED)) {
        firsts.known(client);
        again();
      } else {
        reply.fail(refusal);
      }
    }
  }
}
