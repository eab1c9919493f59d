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
final class WaitingClaim implements Link.Open {
  /** How long after the end of a wait the server may take to say so. */
  private static final long GRACE_MS = 5_000;

  /** A claim that has waited for so long had been in order. */
  private static final long GOOD_NS = TimeUnit.SECONDS.toNanos(1);

  private final Link link;
  private final ClaimLanes lanes;
  private final Features features;
  private final ClaimRequest terms;
  private final long maxWaitMs;
  private final long intervalMs;
  private final ClaimFuture future = new ClaimFuture(this::giveUp);
  private final long beginNs = System.nanoTime();

  /** Null if the server knows no identities. */
  private ClaimLane lane;

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
      Link link,
      ClaimLanes lanes,
      Features features,
      Claim claim,
      ClaimRequest terms,
      long intervalMs) {
    this.link = link;
    this.lanes = lanes;
    this.features = features;
    this.terms = terms;
    this.intervalMs = intervalMs;
    maxWaitMs = claim.waitsForever() ? Long.MAX_VALUE : Math.max(1, Times.toMs(claim.maxWait()));
  }

  /** Sends it for the first time. */
  CompletableFuture<List<Task>> start() {
    link.add(this);
    synchronized (this) {
      if (!isOver && features.hasIdentity()) {
        lane = lanes.take();
        lane.next();
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
      attempt.exchange = link.transport().send(Method.CLAIM, request(), timeoutMs(), attempt);
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** Both servers have the same claim then, and whichever answers first counts. */
  @Override
  public synchronized void move() {
    if (lane != null && newest != null) {
      send();
    }
  }

  private ClaimRequest request() {
    return lane == null
        ? terms
        : Stamps.claim(terms, lane.clientId(), lane.number(), lane.number());
  }

  private long timeoutMs() {
    if (maxWaitMs == Long.MAX_VALUE) {
      return intervalMs;
    }
    long leftMs = Math.max(1, maxWaitMs - passedMs());
    return Math.min(intervalMs, features.hasClaimDeadline() ? leftMs + GRACE_MS : leftMs);
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
    link.heard();
    if (!response.hasTask() && terms.getDeadlineMs() == 0) {
      again();
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
      giveLaneBack();
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
    if (!failure.isPassing() && !failure.isUndecided()) {
      link.heard();
    }
    if (Refusals.isForgotten(failure) && lane != null) {
      lane = new ClaimLane();
      lane.next();
      again();
    } else if (Refusals.isAborted(failure) && lane != null) {
      lane.next();
      again();
    } else if (failure.isPassing() || (failure.isUndecided() && lane != null)) {
      goOn(failure);
    } else {
      fail(Refusals.exception(failure, false));
    }
  }

  /** The connection or the server has gone, or it was time to send the claim anew. */
  private void goOn(Failure failure) {
    boolean isThere = failure.code() == Status.Code.DEADLINE_EXCEEDED && failure.isSent();
    boolean isAway = isAwayForTooLong(failure, isThere);
    boolean isUndecided = isUndecidedForTooLong(failure);
    if (passedMs() >= maxWaitMs) {
      if (isThere) {
        end();
        cancelByNumber();
        boolean unused = future.answer(List.of());
      } else {
        fail(Refusals.ofRead(failure.with(link.transport().where())));
      }
    } else if (isAway || isUndecided) {
      fail(Refusals.ofRead(failure.with(link.transport().where())));
    } else {
      again();
    }
  }

  /**
   * That a claim was sent says nothing: what is between here and a server may take it and say that
   * there is none.
   */
  private boolean isAwayForTooLong(Failure failure, boolean isThere) {
    long nowNs = System.nanoTime();
    boolean hasWaited = failure.isSent() && isTooLong(nowNs - sentNs);
    if (isThere) {
      awaySinceNs = 0;
    } else if (awaySinceNs == 0 || hasWaited || link.heardNs() - awaySinceNs > 0) {
      awaySinceNs = nowNs;
    }
    return awaySinceNs != 0 && isTooLong(nowNs - awaySinceNs);
  }

  /** Who says so each time at once fails at claims, whatever else he answers. */
  private boolean isUndecidedForTooLong(Failure failure) {
    long nowNs = System.nanoTime();
    if (!failure.isUndecided() || nowNs - sentNs > GOOD_NS) {
      undecidedSinceNs = 0;
    } else if (undecidedSinceNs == 0) {
      undecidedSinceNs = nowNs;
    }
    return undecidedSinceNs != 0 && isTooLong(nowNs - undecidedSinceNs);
  }

  private boolean isTooLong(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) >= link.callTimeoutMs();
  }

  private void again() {
    failures = System.nanoTime() - sentNs > GOOD_NS ? 1 : failures + 1;
    link.later(link.backoffMs(failures), this::send);
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
      sayOnce();
    }
    boolean unused = future.fail(reason);
  }

  private void cancelUnderWay() {
    // Each is told of that at once.
    List.copyOf(underWay).forEach(attempt -> attempt.exchange.cancel());
  }

  private void end() {
    isOver = true;
    link.remove(this);
  }

  private boolean isKnownByNumber() {
    return lane != null && isSent && features.hasCancelClaim();
  }

  private void giveLaneBack() {
    if (lane != null) {
      lanes.giveBack(lane);
    }
  }

  /** Ends the claim wherever it is. Until the server has said so the lane is not used again. */
  private void cancelByNumber() {
    if (!isKnownByNumber()) {
      return;
    }
    CancelClaimRequest request = cancelRequest();
    new Ask<>(
            link,
            Method.CANCEL_CLAIM,
            () -> request,
            Repeat.ANY_TIME,
            link.callTimeoutMs(),
            new CancelEnding())
        .start();
  }

  private CancelClaimRequest cancelRequest() {
    return CancelClaimRequest.newBuilder()
        .setClientId(lane.clientId())
        .setRequestNumber(lane.number())
        .build();
  }

  /** The client ends, and has no time to ask again. */
  private void sayOnce() {
    try {
      Exchange unused =
          link.transport().send(Method.CANCEL_CLAIM, cancelRequest(), GRACE_MS, new Unheard());
    } catch (RuntimeException e) {
      // The lease ends by itself.
      return;
    }
  }

  /** One of the times that it is sent. */
  private final class Attempt implements Receiver<ClaimResponse> {
    private final ClaimLane sentOn = lane;
    private final long number = lane == null ? 0 : lane.number();
    private Exchange exchange = () -> {};

    /** Whether its answer is one to what is asked now, and not under a number before. */
    boolean isOfPresentClaim() {
      return lane == null ? this == newest : sentOn == lane && number == lane.number();
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

  private final class CancelEnding implements Ask.Ending<CancelClaimResponse> {
    @Override
    public void onAnswer(CancelClaimResponse answer) {
      giveLaneBack();
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

  private static final class Unheard implements Receiver<CancelClaimResponse> {
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
