package io.entroq.client;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.spi.ClaimFuture;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.translation.WireTasks;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.codec.wire.Times;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A claim that waits. It is resent under one number until it has tasks, its time is up, or it is
 * canceled. Then it is canceled at the server by number, so that nothing stays claimed. Any thread.
 */
final class WaitingClaim implements Dispatcher.OpenRequest {
  /** How long after its deadline the server may take to answer. */
  private static final long GRACE_MS = 5_000;

  /** An attempt that has waited this long was accepted by the server. */
  private static final long ACCEPTED_NS = TimeUnit.SECONDS.toNanos(1);

  private final Dispatcher dispatcher;
  private final ClaimIdentities identities;
  private final ServerFeatures features;
  private final ClaimRequest terms;
  private final long maxWaitMs;
  private final long intervalMs;
  private final ClaimFuture future = new ClaimFuture(this::onCanceled);
  private final long startNs = System.nanoTime();

  /** After which it fails, whatever the server says; 0 if it does not. */
  private long limitMs;

  /** Of the limit; done if there is none. */
  private Future<?> expiry = CompletableFuture.completedFuture(null);

  /** Null if the server has no request identities. */
  private ClaimIdentity identity;

  /** The last attempt, unless it has failed; null while waiting for a retry. */
  private Attempt newest;

  /** All attempts that have not ended; previous servers may hold theirs for long. */
  private final List<Attempt> open = new ArrayList<>();

  private boolean isSent;
  private boolean isOver;
  private int failures;

  /** Why no server could be reached; null if one could, or has answered something since. */
  private Failure lastUnreachable;

  private long sentNs;

  /** Since when no server was reachable, as far as is known; 0 if one was. */
  private long unreachableSinceNs;

  /** Since when every attempt has failed at once with an unknown outcome; 0 if not. */
  private long unknownSinceNs;

  /**
   * @param terms the request without identity
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

  /**
   * Fails the claim if it has no tasks by then. Call before {@link #start}.
   *
   * @param timeoutMs less than its wait
   */
  WaitingClaim failAfter(long timeoutMs) {
    limitMs = timeoutMs;
    return this;
  }

  CompletableFuture<List<Task>> start() {
    dispatcher.add(this);
    synchronized (this) {
      if (!isOver && features.hasIdentity()) {
        identity = identities.take();
        identity.next();
      }
    }
    send();
    if (limitMs > 0) {
      expireAfterLimit();
    }
    return future;
  }

  /** Answers may come before, and meanwhile. */
  private synchronized void expireAfterLimit() {
    if (!isOver) {
      expiry = dispatcher.scheduleCancellable(limitMs, this::expire);
    }
  }

  private synchronized void send() {
    if (isOver) {
      return;
    }
    sentNs = System.nanoTime();
    isSent = true;
    Attempt attempt = new Attempt();
    newest = attempt;
    open.add(attempt);
    attempt.exchange = dispatcher.transport().send(Method.CLAIM, request(), timeoutMs(), attempt);
  }

  /** Both servers then have the same claim; the first answer counts. */
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
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
  }

  private synchronized void onAnswer(Attempt attempt, ClaimResponse response) {
    open.remove(attempt);
    if (isOver || !attempt.isForCurrentNumber()) {
      // This claim was canceled, which returns its tasks.
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
      fail(new EntroQException.Unavailable("the server's response is unreadable", e));
      return;
    }
    end();
    boolean isTimedOut = tasks.isEmpty() && limitMs > 0;
    if (isTimedOut ? future.fail(timedOut()) : future.answer(tasks)) {
      releaseIdentity();
    } else {
      cancelByNumber();
    }
  }

  private synchronized void onFailure(Attempt attempt, Failure failure) {
    open.remove(attempt);
    if (isOver || attempt != newest) {
      return;
    }
    newest = null;
    if (failure.isSent() && !failure.isTransient() && !failure.isUnknown()) {
      dispatcher.noteResponse();
    }
    if (FailureMapping.isForgotten(failure) && identity != null) {
      identity = new ClaimIdentity();
      identity.next();
      retry();
    } else if (FailureMapping.isLost(failure) && identity != null) {
      identity.next();
      retry();
    } else if (failure.isTransient() || (failure.isUnknown() && identity != null)) {
      continueWaiting(failure);
    } else {
      fail(FailureMapping.exception(failure, false));
    }
  }

  /** Handles the loss of the connection or server, and the end of the resend interval. */
  private void continueWaiting(Failure failure) {
    boolean isReachable = failure.code() == Status.Code.DEADLINE_EXCEEDED && failure.isSent();
    boolean isUnreachable = isUnreachableForTooLong(failure, isReachable);
    boolean isUnknown = isUnknownForTooLong(failure);
    if (passedMs() >= maxWaitMs) {
      if (isReachable) {
        end();
        cancelByNumber();
        boolean unused = future.answer(List.of());
      } else {
        fail(FailureMapping.ofRead(failure.with(dispatcher.transport().endpointText())));
      }
    } else if (isUnreachable || isUnknown) {
      fail(FailureMapping.ofRead(failure.with(dispatcher.transport().endpointText())));
    } else {
      retry();
    }
  }

  /**
   * That a claim was sent is no proof of a server: an intermediary may accept it and then report
   * that no server is available.
   */
  private boolean isUnreachableForTooLong(Failure failure, boolean isReachable) {
    long nowNs = System.nanoTime();
    boolean hasWaited = failure.isSent() && isTooLong(nowNs - sentNs);
    lastUnreachable = isReachable ? null : failure;
    if (isReachable) {
      unreachableSinceNs = 0;
    } else if (unreachableSinceNs == 0
        || hasWaited
        || dispatcher.lastResponseNs() - unreachableSinceNs > 0) {
      unreachableSinceNs = nowNs;
    }
    return unreachableSinceNs != 0 && isTooLong(nowNs - unreachableSinceNs);
  }

  /** A server that fails each claim at once with an unknown outcome cannot execute claims. */
  private boolean isUnknownForTooLong(Failure failure) {
    long nowNs = System.nanoTime();
    if (!failure.isUnknown() || nowNs - sentNs > ACCEPTED_NS) {
      unknownSinceNs = 0;
    } else if (unknownSinceNs == 0) {
      unknownSinceNs = nowNs;
    }
    return unknownSinceNs != 0 && isTooLong(nowNs - unknownSinceNs);
  }

  private boolean isTooLong(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) >= dispatcher.callTimeoutMs();
  }

  private void retry() {
    failures = System.nanoTime() - sentNs > ACCEPTED_NS ? 1 : failures + 1;
    dispatcher.schedule(dispatcher.backoffMs(failures), this::send);
  }

  private synchronized void expire() {
    if (isOver) {
      return;
    }
    boolean isAway =
        lastUnreachable != null && dispatcher.lastResponseNs() - unreachableSinceNs < 0;
    EntroQException reason =
        isAway
            ? FailureMapping.ofRead(lastUnreachable.with(dispatcher.transport().endpointText()))
            : timedOut();
    end();
    cancelOpen();
    cancelByNumber();
    boolean unused = future.fail(reason);
  }

  private EntroQException.TimedOut timedOut() {
    return new EntroQException.TimedOut(
        "no task in %s within %,d ms".formatted(terms.getQueuesList(), limitMs));
  }

  private void fail(RuntimeException reason) {
    end();
    cancelByNumber();
    boolean unused = future.fail(reason);
  }

  /** The caller has completed or canceled the future. */
  private synchronized void onCanceled() {
    if (isOver) {
      return;
    }
    end();
    cancelOpen();
    cancelByNumber();
  }

  @Override
  public synchronized void close(EntroQException.Closed reason) {
    if (isOver) {
      return;
    }
    end();
    cancelOpen();
    if (canCancelByNumber()) {
      cancelOnce();
    }
    boolean unused = future.fail(reason);
  }

  private void cancelOpen() {
    // Copied, because each cancel may call onFailure, which removes the attempt.
    List.copyOf(open).forEach(attempt -> attempt.exchange.cancel());
  }

  private void end() {
    isOver = true;
    expiry.cancel(false);
    dispatcher.remove(this);
  }

  private boolean canCancelByNumber() {
    return identity != null && isSent && features.hasCancelClaim();
  }

  private void releaseIdentity() {
    if (identity != null) {
      identities.release(identity);
    }
  }

  /** Cancels the claim at all servers. The identity is reused only after a server has confirmed. */
  private void cancelByNumber() {
    if (!canCancelByNumber()) {
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

  /** Cancels without retries, because the client is closing. */
  private void cancelOnce() {
    Exchange unused =
        dispatcher
            .transport()
            .send(Method.CANCEL_CLAIM, cancelRequest(), GRACE_MS, new IgnoringReceiver());
  }

  private final class Attempt implements Receiver<ClaimResponse> {
    private final ClaimIdentity sentAs = identity;
    private final long number = identity == null ? 0 : identity.number();
    private Exchange exchange = () -> {};

    /** Whether the attempt was sent under the current number. */
    boolean isForCurrentNumber() {
      return identity == null ? this == newest : sentAs == identity && number == identity.number();
    }

    @Override
    public void onAnswer(ClaimResponse response) {
      WaitingClaim.this.onAnswer(this, response);
    }

    @Override
    public void onFailure(Failure failure) {
      WaitingClaim.this.onFailure(this, failure);
    }
  }

  private final class CancelCompletion implements PendingCall.Completion<CancelClaimResponse> {
    @Override
    public void onAnswer(CancelClaimResponse answer) {
      releaseIdentity();
    }

    @Override
    public void onFailure(Failure failure, boolean maybeDone) {
      // The identity is not reused, because its claim may still exist.
    }

    @Override
    public void onException(RuntimeException exception) {
      // As above.
    }
  }

  private static final class IgnoringReceiver implements Receiver<CancelClaimResponse> {
    @Override
    public void onAnswer(CancelClaimResponse answer) {
      // The client is closed.
    }

    @Override
    public void onFailure(Failure failure) {
      // The lease ends by itself.
    }
  }
}
