package io.entroq.client;

import java.util.concurrent.ConcurrentLinkedDeque;

/** Lanes that are not in use; as many as there have been claims waiting at a time. Any thread. */
final class ClaimIdentities {
  private final ConcurrentLinkedDeque<ClaimIdentity> free = new ConcurrentLinkedDeque<>();

  /** A lane for one claim. */
  ClaimIdentity take() {
    ClaimIdentity identity = free.pollFirst();
    return identity == null ? new ClaimIdentity() : identity;
  }

  /** The claim of the lane has been answered, or is known to have ended. */
  void release(ClaimIdentity identity) {
    free.addFirst(identity);
  }
}
