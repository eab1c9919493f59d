package io.entroq.client;

import java.util.concurrent.ConcurrentLinkedDeque;

/** Lanes that are not in use; as many as there have been claims waiting at a time. Any thread. */
final class ClaimLanes {
  private final ConcurrentLinkedDeque<ClaimLane> free = new ConcurrentLinkedDeque<>();

  /** A lane for one claim. */
  ClaimLane take() {
    ClaimLane lane = free.pollFirst();
    return lane == null ? new ClaimLane() : lane;
  }

  /** The claim of the lane has been answered, or is known to have ended. */
  void giveBack(ClaimLane lane) {
    free.addFirst(lane);
  }
}
