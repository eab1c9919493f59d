package io.entroq.service.queue;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.engine.gateway.ClaimWriter;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.WaitingClaim;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.ClaimCommandWriter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.entroq.service.translation.RequestIdentities;
import io.entroq.service.translation.Responses;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A claim that waits. Its tasks belong to the caller once the response has been sent; if the call
 * ends before that, they are given back. So they are if its deadline is too near.
 */
final class ClaimCall implements Call, Reply<ClaimResponse> {
  private static final Refusal CLOSED =
      new Refusal(Status.Code.UNAVAILABLE, "the engine was closed while the claim waited");

  private static final Refusal WITHDRAWN =
      new Refusal(Status.Code.CANCELLED, "the claim was withdrawn before it had a task");

  /**
   * An answer on one machine takes half of that to arrive, and the deadline as much to get here.
   */
  private static final long DELIVERY_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final Refusal LATE =
      new Refusal(
          Status.Code.DEADLINE_EXCEEDED,
          "a task came when the claim's deadline was near or over, and was given back; nothing is"
              + " claimed. Claim again");

  private final BlockedClaims blocked;
  private final ResponseSize size;
  private final CallContext context;
  private final Reply<ClaimResponse> reply;
  private WaitingClaim claim;
  private boolean hasIdentity;
  private volatile boolean isWithdrawn;
  private boolean isAnswered;

  /**
   * @param context tells the protocol that the caller declares, and its deadline
   */
  ClaimCall(
      BlockedClaims blocked, ResponseSize size, CallContext context, Reply<ClaimResponse> reply) {
    this.blocked = blocked;
    this.size = size;
    this.context = context;
    this.reply = reply;
  }

  /**
   * Starts the claim.
   *
   * @throws RuntimeException if it was not started and nothing was answered
   */
  ClaimCall start(Gateway gateway, Facade facade, ClaimRequest request) {
    blocked.add(this);
    try {
      submit(gateway, facade, request);
    } catch (RuntimeException e) {
      if (isFirstAnswer()) {
        throw e;
      }
    }
    return this;
  }

  /** Synchronized, so that events wait until the claim is known. */
  private synchronized void submit(Gateway gateway, Facade facade, ClaimRequest request) {
    if (isAnswered) {
      return;
    }
    Optional<Identity> own = RequestIdentities.of(facade, request);
    ClaimWriter writer =
        (buffer, identity) ->
            ClaimCommandWriter.ofThread()
                .write(buffer, facade, request, Optional.of(identity), true);
    hasIdentity = own.isPresent();
    int bytes = request.getSerializedSize();
    Completion completion = completion(new Responses(facade), request, own.isPresent());
    claim =
        own.isPresent()
            ? gateway.waitingClaim(own.get(), bytes, writer, completion)
            : gateway.waitingClaim(bytes, writer, completion);
  }

  private Completion completion(Responses answers, ClaimRequest request, boolean hasOwnIdentity) {
    return new ResultReply<>(
        this,
        result -> {
          if (result.code() == ResultCodes.CANCELLED && isWithdrawn) {
            throw new RefusedException(WITHDRAWN);
          }
          if (!hasOwnIdentity && result.code() == ResultCodes.CANCELLED) {
            // The engine canceled it. A caller that cancels does not read this.
            throw new RefusedException(CLOSED);
          }
          ClaimResponse response = claimed(answers, request, result);
          if (!hasOwnIdentity && response.hasTask() && isLate()) {
            refuse();
            throw new RefusedException(LATE);
          }
          return size.claimed(response, reply, this::refuse);
        });
  }

  /**
   * Whether an answer would find its caller gone, which would leave its tasks claimed by nobody. A
   * caller with an identity may ask for its answer again.
   */
  private boolean isLate() {
    return context.deadlineNanos().isPresent()
        && context.deadlineNanos().getAsLong() - System.nanoTime() < DELIVERY_NS;
  }

  private static ClaimResponse claimed(
      Responses answers, ClaimRequest request, ResultDecoder result) {
    ClaimResponse response = answers.claimed(result, request);
    if (!response.hasTask() && request.getDeadlineMs() == 0) {
      // Clients would take it for a fault of the server (contract 2.2.6).
      throw new IllegalStateException("a waiting claim was answered without a task");
    }
    return response;
  }

  @Override
  public synchronized void position(long position) {
    if (!isAnswered) {
      reply.position(position);
    }
  }

  @Override
  public void send(ClaimResponse response) {
    if (isFirstAnswer()) {
      reply.send(response);
    }
  }

  @Override
  public void fail(Refusal refusal) {
    if (isFirstAnswer()) {
      reply.fail(refusal);
    }
  }

  private synchronized void refuse() {
    claim.refuse();
  }

  /** Ends the claim without a task, since the server stops. */
  void end() {
    end(BlockedClaims.ended(context.protocol()));
  }

  private void end(Refusal refusal) {
    if (isFirstAnswer()) {
      cancel();
      reply.fail(refusal);
    }
  }

  private boolean isFirstAnswer() {
    blocked.remove(this);
    synchronized (this) {
      boolean isFirst = !isAnswered;
      isAnswered = true;
      return isFirst;
    }
  }

  @Override
  public void cancel() {
    synchronized (this) {
      isAnswered = true;
      if (claim != null) {
        claim.cancel();
      }
    }
    // Last, so that no claim can take a task any more once the count is 0.
    blocked.remove(this);
  }

  @Override
  public void withdraw() {
    synchronized (this) {
      if (isAnswered || claim == null) {
        return;
      }
      if (hasIdentity) {
        isWithdrawn = true;
        claim.withdraw();
        return;
      }
    }
    end(WITHDRAWN);
  }

  @Override
  public synchronized void delivered() {
    if (claim != null) {
      claim.settle();
    }
  }
}
