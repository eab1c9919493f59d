package io.entroq.service.queue;

import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The claims that wait for a task, over all connections. When the server stops, it ends them with
 * DEADLINE_EXCEEDED: clients then ask again, where another error would end a worker (contract
 * 2.2.6). Any thread.
 */
public final class BlockedClaims {
  private static final Refusal ENDED =
      new Refusal(Status.Code.DEADLINE_EXCEEDED, "the server is shutting down; ask again");

  private final Set<ClaimCall> claims = ConcurrentHashMap.newKeySet();
  private volatile boolean isEnding;

  /** The number of waiting claims. */
  public int count() {
    return claims.size();
  }

  /** Ends all claims, and later ones. */
  public void end() {
    isEnding = true;
    for (ClaimCall claim : claims) {
      claim.end(ENDED);
    }
  }

  void add(ClaimCall claim) {
    claims.add(claim);
    // end() has seen this claim, or is seen here.
    if (isEnding) {
      claim.end(ENDED);
    }
  }

  void remove(ClaimCall claim) {
    claims.remove(claim);
  }
}
