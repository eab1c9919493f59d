package io.entroq.client;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.spi.ClaimFuture;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.entroq.codec.wire.Times;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A claim that waits: sent under one number until it has tasks, its time is up, or nobody waits for
 * it any more. Then it is ended at the server by its number, so that nothing stays claimed. Any
 * thread.
 */
final class WaitingClaim implements Dispatcher.Open {
  /** How long after the end of a wait the server may take to say so. */
  private static final long GRACE_MS = 5_000;

  /** A claim that has waited for so long had been in order. */
  private static final long GOOD_NS = TimeUnit.SECONDS.toNanos(1);

  private final Dispatcher dispatcher;
  private final ClaimIdentities identities;
  private final ServerFeatures features;
  private final ClaimRequest terms;
  private final long maxWaitMs;
  private final long intervalMs;
  private final ClaimFuture future = new ClaimFuture(this::giveUp);
  private final long beginNs = System.nanoTime();

  /** Null if the server knows no identities. */
  private ClaimIdentity identity;

  /** What was sent last and has not failed; null: it waits to be sent again. */
  private Attempt newest;

  /** All that was sent and has no end yet; servers asked before may hold theirs for long. */
  private final List<Attempt> underWay = new ArrayList<>();

  private boolean isSent;
  private boolean isOver;
  private int failures;
  private long sentNs;

  /** Since when no server was there, as far as is known; 0 if one was. */
  private long awaySinceNs;

  /** Since when each attempt has been answered by nothing but that nobody knows; 0 if not. */
  private long undecidedSinceNs;

  /**
   * @param terms the claim as it is sent, but for its identity
   */
  WaitingClaim(
      Dispatcher dispatcher,
      ClaimIdentities identities,
      ServerFeatures features,
      Claim claim,
      ClaimRequest terms,
      long intervalMs) {
    this.dispatcher = dispatcher;
    this.identities = identities;
    this.features = features;
    this.terms = terms;
    this.intervalMs = intervalMs;
    maxWaitMs = claim.waitsForever() ? Long.MAX_VALUE : Math.max(1, Times.toMs(claim.maxWait()));
  }

  /** Sends it for the first time. */
  CompletableFuture<List<Task>> start() {
    dispatcher.add(this);
    synchronized (this) {
      if (!isOver && features.hasIdentity()) {
        identity = identities.take();
        identity.next();
      }
    }
    send();
    return future;
  }

  private synchronized void send() {
    if (isOver) {
      return;
    }
    sentNs = System.nanoTime();
    isSent = true;
    Attempt attempt = new Attempt();
    newest = attempt;
    underWay.add(attempt);
    try {
      attempt.exchange = dispatcher.transport().send(Method.CLAIM, request(), timeoutMs(), attempt);
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** Both servers have the same claim then, and whichever answers first counts. */
  @Override
  public synchronized void failOver() {
    if (identity != null && newest != null) {
      send();
    }
  }

  private ClaimRequest request() {
    return identity == null
        ? terms
        : RequestIdentity.claim(terms, identity.clientId(), identity.number(), identity.number());
  }

  private long timeoutMs() {
    if (maxWaitMs == Long.MAX_VALUE) {
      return intervalMs;
    }
    long remainingMs = Math.max(1, maxWaitMs - passedMs());
    return Math.min(intervalMs, features.hasClaimDeadline() ? remainingMs + GRACE_MS : remainingMs);
  }

  private long passedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
  }

  private synchronized void answered(Attempt attempt, ClaimResponse response) {
    underWay.remove(attempt);
    if (isOver || !attempt.isOfPresentClaim()) {
      // Given up, and what it was given goes back.
      return;
    }
    dispatcher.noteResponse();
    if (!response.hasTask() && terms.getDeadlineMs() == 0) {
      retry();
      return;
    }
    List<Task> tasks;
    try {
      tasks = WireTasks.claimed(response);
    } catch (RuntimeException e) {
      fail(new EntroQException.Unavailable("the server's answer cannot be read", e));
      return;
    }
    end();
    if (future.answer(tasks)) {
      releaseIdentity();
    } else {
      cancelByNumber();
    }
  }

  private synchronized void failed(Attempt attempt, Failure failure) {
    underWay.remove(attempt);
    if (isOver || attempt != newest) {
      return;
    }
    newest = null;
    if (!failure.isTransient() && !failure.isUnknown()) {
      dispatcher.noteResponse();
    }
    if (FailureMapping.isForgotten(failure) && identity != null) {
      identity = new ClaimIdentity();
      identity.next();
      retry();
    } else if (FailureMapping.isAborted(failure) && identity != null) {
      identity.next();
      retry();
    } else if (failure.isTransient() || (failure.isUnknown() && identity != null)) {
      continueWaiting(failure);
    } else {
      fail(FailureMapping.exception(failure, false));
    }
  }

  /** The connection or the server has gone, or it was time to send the claim anew. */
  private void continueWaiting(Failure failure) {
    boolean isReachable = failure.code() == Status.Code.DEADLINE_EXCEEDED && failure.isSent();
    boolean isAway = isAwayForTooLong(failure, isReachable);
    boolean isUnknown = isUndecidedForTooLong(failure);
    if (passedMs() >= maxWaitMs) {
      if (isReachable) {
        end();
        cancelByNumber();
        boolean unused = future.answer(List.of());
      } else {
        fail(FailureMapping.ofRead(failure.with(dispatcher.transport().where())));
      }
    } else if (isAway || isUnknown) {
      fail(FailureMapping.ofRead(failure.with(dispatcher.transport().where())));
    } else {
      retry();
    }
  }

  /**
   * That a claim was sent says nothing: what is between here and a server may take it and say that
   * there is none.
   */
  private boolean isAwayForTooLong(Failure failure, boolean isReachable) {
    long nowNs = System.nanoTime();
    boolean hasWaited = failure.isSent() && isTooLong(nowNs - sentNs);
    if (isReachable) {
      awaySinceNs = 0;
    } else if (awaySinceNs == 0 || hasWaited || dispatcher.lastResponseNs() - awaySinceNs > 0) {
      awaySinceNs = nowNs;
    }
    return awaySinceNs != 0 && isTooLong(nowNs - awaySinceNs);
  }

  /** Who says so each time at once fails at claims, whatever else he answers. */
  private boolean isUndecidedForTooLong(Failure failure) {
    long nowNs = System.nanoTime();
    if (!failure.isUnknown() || nowNs - sentNs > GOOD_NS) {
      undecidedSinceNs = 0;
    } else if (undecidedSinceNs == 0) {
      undecidedSinceNs = nowNs;
    }
    return undecidedSinceNs != 0 && isTooLong(nowNs - undecidedSinceNs);
  }

  private boolean isTooLong(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) >= dispatcher.callTimeoutMs();
  }

  private void retry() {
    failures = System.nanoTime() - sentNs > GOOD_NS ? 1 : failures + 1;
    dispatcher.later(dispatcher.backoffMs(failures), this::send);
  }

  private void fail(RuntimeException reason) {
    end();
    cancelByNumber();
    boolean unused = future.fail(reason);
  }

  /** Somebody else has completed the future. */
  private synchronized void giveUp() {
    if (isOver) {
      return;
    }
    end();
    cancelUnderWay();
    cancelByNumber();
  }

  @Override
  public synchronized void close(EntroQException.Closed reason) {
    if (isOver) {
      return;
    }
    end();
    cancelUnderWay();
    if (isKnownByNumber()) {
      cancelOnce();
    }
    boolean unused = future.fail(reason);
  }

  private void cancelUnderWay() {
    // Each is told of that at once.
    List.copyOf(underWay).forEach(attempt -> attempt.exchange.cancel());
  }

  private void end() {
    isOver = true;
    dispatcher.remove(this);
  }

  private boolean isKnownByNumber() {
    return identity != null && isSent && features.hasCancelClaim();
  }

  private void releaseIdentity() {
    if (identity != null) {
      identities.release(identity);
    }
  }

  /** Ends the claim wherever it is. Until the server has said so the lane is not used again. */
  private void cancelByNumber() {
    if (!isKnownByNumber()) {
      return;
    }
    CancelClaimRequest request = cancelRequest();
    new PendingCall<>(
            dispatcher,
            Method.CANCEL_CLAIM,
            () -> request,
            RetryPolicy.ANY_TIME,
            dispatcher.callTimeoutMs(),
            new CancelCompletion())
        .start();
  }

  private CancelClaimRequest cancelRequest() {
    return CancelClaimRequest.newBuilder()
        .setClientId(identity.clientId())
        .setRequestNumber(identity.number())
        .build();
  }

  /** The client ends, and has no time to ask again. */
  private void cancelOnce() {
    try {
      Exchange unused =
          dispatcher
              .transport()
              .send(Method.CANCEL_CLAIM, cancelRequest(), GRACE_MS, new IgnoringReceiver());
    } catch (RuntimeException e) {
      // The lease ends by itself.
      return;
    }
  }

  /** One of the times that it is sent. */
  private final class Attempt implements Receiver<ClaimResponse> {
    private final ClaimIdentity sentOn = identity;
    private final long number = identity == null ? 0 : identity.number();
    private Exchange exchange = () -> {};

    /** Whether its answer is one to what is asked now, and not under a number before. */
    boolean isOfPresentClaim() {
      return identity == null ? this == newest : sentOn == identity && number == identity.number();
    }

    @Override
    public void onAnswer(ClaimResponse response) {
      answered(this, response);
    }

    @Override
    public void onFailure(Failure failure) {
      failed(this, failure);
    }
  }

  private final class CancelCompletion implements PendingCall.Completion<CancelClaimResponse> {
    @Override
    public void onAnswer(CancelClaimResponse answer) {
      releaseIdentity();
    }

    @Override
    public void onFailure(Failure failure, boolean maybeDone) {
      // The lane is left, as nobody knows what has become of its claim.
    }

    @Override
    public void onException(RuntimeException exception) {
      // As above.
    }
  }

  private static final class IgnoringReceiver implements Receiver<CancelClaimResponse> {
    @Override
    public void onAnswer(CancelClaimResponse answer) {
      // Nobody waits for it.
    }

    @Override
    public void onFailure(Failure failure) {
      // As above: the lease ends by itself.
    }
  }
}
