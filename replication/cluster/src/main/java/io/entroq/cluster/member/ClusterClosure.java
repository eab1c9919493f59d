package io.entroq.cluster.member;

import io.entroq.cluster.service.StateDigest;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * The end of a cluster whose members will change. The request to close it is in the log; so every
 * majority of the present members has it, and each member notes it in its directory. In the same
 * term the leader stops all members with a snapshot. In a later term none of them goes on: they
 * could acknowledge commands that the new members do not have.
 */
final class ClusterClosure {
  private final int memberId;
  private final MemberDirectory directory;
  private final CompletableFuture<ClusterMember.StopPoint> stopped = new CompletableFuture<>();
  private volatile boolean isClosed;

  ClusterClosure(int memberId, MemberDirectory directory) {
    this.memberId = memberId;
    this.directory = directory;
  }

  /** The request has come out of the log. Applying thread. */
  void onClose(long position) {
    isClosed |= directory.noteClosed(position);
  }

  /** Whether the members will change. Any thread. */
  boolean isClosed() {
    return isClosed;
  }

  /**
   * A term begins. Applying thread.
   *
   * @throws MemberException if the cluster was closed in an earlier one
   */
  void requireOpen() {
    if (isClosed) {
      throw new MemberException(
          ("member %d goes no further: the cluster was to be stopped to change its members, but its"
                  + " leader was lost before. Run `entroq set-members --reopen` on the directories"
                  + " of all members, start them, and try again")
              .formatted(memberId));
    }
  }

  /** The last snapshot is complete. Applying thread. */
  void onStop(long position, StateDigest state) {
    if (isClosed) {
      stopped.complete(new ClusterMember.StopPoint(position, state));
    }
  }

  /** Whether the member has stopped with all others. Any thread. */
  boolean hasStopped() {
    return stopped.isDone();
  }

  /** Completes with where the members have stopped. */
  CompletableFuture<ClusterMember.StopPoint> stopped() {
    return stopped.copy();
  }

  /** Where it has stopped, for people. */
  String text() {
    return String.format(
        Locale.ROOT,
        "all members were stopped at position %d to change them",
        stopped.join().position());
  }
}
