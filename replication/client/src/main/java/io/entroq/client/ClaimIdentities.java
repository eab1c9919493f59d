package io.entroq.client;

import java.util.concurrent.ConcurrentLinkedDeque;

/** A pool of unused claim identities. Any thread. */
final class ClaimIdentities {
  private final ConcurrentLinkedDeque<ClaimIdentity> free = new ConcurrentLinkedDeque<>();

  ClaimIdentity take() {
    ClaimIdentity identity = free.pollFirst();
    return identity == null ? new ClaimIdentity() : identity;
  }

  /** Returns an identity whose claim has been answered, or is known to have ended. */
  void release(ClaimIdentity identity) {
    free.addFirst(identity);
  }
}
