package io.entroq.service.queue;

import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The claims that wait for a task, over all connections, so that the server can end them when it
 * stops: with DEADLINE_EXCEEDED, after which clients ask again, not with an error that would end a
 * worker (contract 2.2.6). Any thread.
 */
public final class BlockedClaims {
  private static final Refusal ENDED =
      new Refusal(Status.Code.DEADLINE_EXCEEDED, "the server is about to end; ask again");

  private final Set<ClaimCall> claims = ConcurrentHashMap.newKeySet();
  private volatile boolean isEnding;

  /** No claims. */
  public BlockedClaims() {}

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
    // Whoever calls end() has seen this claim, or is seen here.
    if (isEnding) {
      claim.end(ENDED);
    }
  }

  void remove(ClaimCall claim) {
    claims.remove(claim);
  }
}
