package io.entroq.service.insight;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.Waiter;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.codec.wire.edge.WaitersResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.InterceptedCall;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Refusal;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The claims that wait at this server, over all transports and of both APIs. Any thread. */
final class WaitingClaims {
  private static final int ROWS = 100;
  private static final int ROWS_MAX = 1_000;

  private final Set<Waiting> claims = ConcurrentHashMap.newKeySet();

  /** Starts a claim, and knows it while it waits. */
  Call claim(Service next, CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    Waiting waiting = new Waiting(request, reply);
    claims.add(waiting);
    try {
      return waiting.started(next.handle(Method.CLAIM, context, request, waiting));
    } catch (RuntimeException e) {
      claims.remove(waiting);
      throw e;
    }
  }

  WaitersResponse waiters(WaitersRequest request) {
    int limit = Paging.limit(request.getLimit(), ROWS, ROWS_MAX);
    List<Waiting> matched =
        claims.stream().filter(claim -> claim.isFor(request.getQueue())).toList();
    WaitersResponse.Builder response = WaitersResponse.newBuilder().setMatched(matched.size());
    matched.stream()
        .sorted(Comparator.comparingLong(claim -> claim.sinceMs))
        .limit(limit)
        .forEach(claim -> response.addWaiters(claim.message(request.getQueue())));
    return response.build();
  }

  private final class Waiting extends InterceptedCall<ClaimResponse> {
    private final ClaimRequest request;
    private final long sinceMs = System.currentTimeMillis();

    private Waiting(ClaimRequest request, Reply<ClaimResponse> reply) {
      super(reply);
      this.request = request;
    }

    /** Whether it waits for a queue; for any, without a name. */
    private boolean isFor(String queue) {
      return queue.isEmpty() || request.getQueuesList().contains(queue);
    }

    private Waiter message(String queue) {
      return Waiter.newBuilder()
          .setClaimant(request.getClaimantId())
          .addAllQueues(queue.isEmpty() ? request.getQueuesList() : List.of(queue))
          .setQueueCount(request.getQueuesCount())
          .setSinceMs(sinceMs)
          .build();
    }

    @Override
    public void send(ClaimResponse response) {
      claims.remove(this);
      super.send(response);
    }

    @Override
    public void fail(Refusal refusal) {
      claims.remove(this);
      super.fail(refusal);
    }

    @Override
    public void cancel() {
      claims.remove(this);
      super.cancel();
    }
  }
}
