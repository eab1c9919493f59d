package io.entroq.service.queue;

import io.entroq.service.call.Protocol;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The claims that wait for a task, over all connections. A server that stops ends them. Any thread.
 */
public final class BlockedClaims {
  private static final String ENDED = "the server is shutting down; ask again";

  /** Older clients then ask again, where another error would end a worker (contract 2.2.6). */
  private static final Refusal ENDED_UNDECLARED = new Refusal(Status.Code.DEADLINE_EXCEEDED, ENDED);

  /** Newer ones take a deadline for their own, and try again after this (protocol 2, 6.20). */
  private static final Refusal ENDED_DECLARED = new Refusal(Status.Code.UNAVAILABLE, ENDED);

  private final Set<ClaimCall> claims = ConcurrentHashMap.newKeySet();
  private volatile boolean isEnding;

  /** How a claim ends that declares a protocol, or none, when the server stops. */
  public static Refusal ended(Protocol protocol) {
    return protocol.isDeclared() ? ENDED_DECLARED : ENDED_UNDECLARED;
  }

  /** The number of waiting claims. */
  public int count() {
    return claims.size();
  }

  /** Ends all claims, and later ones. */
  public void end() {
    isEnding = true;
    for (ClaimCall claim : claims) {
      claim.end();
    }
  }

  void add(ClaimCall claim) {
    claims.add(claim);
    // end() has seen this claim, or is seen here.
    if (isEnding) {
      claim.end();
    }
  }

  void remove(ClaimCall claim) {
    claims.remove(claim);
  }
}
