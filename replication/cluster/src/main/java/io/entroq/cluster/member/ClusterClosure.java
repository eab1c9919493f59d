package io.entroq.cluster.member;

import io.entroq.cluster.service.StateDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The end of a cluster whose members will change. The request to close it is in the log; so every
 * majority of the present members has it, and each member notes it in its directory. In the same
 * term the leader stops all members with a snapshot. In a later term none of them goes on: they
 * could acknowledge commands that the new members do not have.
 */
final class ClusterClosure {
  private static final String AGAIN =
      "Once all members have ended, run `entroq set-members --reopen` on the directories of all,"
          + " start them, and try again";

  private final int memberId;
  private final MemberDirectory directory;
  private volatile boolean isClosed;

  /**
   * Where it has stopped with all others; fails with a {@link MemberException} if it has ended
   * otherwise.
   */
  private final CompletableFuture<ClusterMember.StopPoint> stop = new CompletableFuture<>();

  /** Of the newest request that was made here; null if there is none. */
  private CompletableFuture<ClusterMember.StopPoint> requested;

  private long requestedTerm;

  ClusterClosure(int memberId, MemberDirectory directory) {
    this.memberId = memberId;
    this.directory = directory;
  }

  /**
   * Waits for the members to stop, which this leader is going to request. Any thread.
   *
   * @param termId in which this member leads
   * @return completes in any case, at the latest when the member has ended
   */
  synchronized CompletableFuture<ClusterMember.StopPoint> request(long termId) {
    if (requested == null || requested.isDone()) {
      requested = stop.copy();
      requestedTerm = termId;
    }
    return requested.copy();
  }

  /** The term of a request that is not known to be in the log, so it may be lost. Any thread. */
  synchronized OptionalLong unconfirmed() {
    return isClosed || requested == null || requested.isDone()
        ? OptionalLong.empty()
        : OptionalLong.of(requestedTerm);
  }

  /**
   * The request has come out of the log. Applying thread.
   *
   * @return whether the cluster is closed
   */
  boolean onClose(long position, long termId) {
    isClosed |= directory.noteClosed(position, termId);
    return isClosed;
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
  void onTerm(long termId) {
    if (isClosed) {
      throw new MemberException(
          ("member %d goes no further: the cluster was to be stopped to change its members, but its"
                  + " leader was lost before. %s")
              .formatted(memberId, AGAIN));
    }
    refuseBefore(termId);
  }

  private synchronized void refuseBefore(long termId) {
    if (requested != null && requestedTerm < termId) {
      requested.completeExceptionally(
          new MemberException(
              ("another term has begun, in which the members stop as well, or not at all; see `entroq"
                      + " members`. %s")
                  .formatted(AGAIN)));
    }
  }

  /**
   * The service has ended. Applying thread.
   *
   * @param position the last that it has applied
   * @param state of the snapshot there; empty if it has none with a complete image
   */
  void onStop(long position, Optional<StateDigest> state) {
    if (isClosed) {
      try {
        stop.complete(verified(position, state));
      } catch (RuntimeException e) {
        stop.completeExceptionally(
            new MemberException(
                "member %d has stopped at %d, but its directory cannot be that of a new member: %s"
                    .formatted(memberId, position, e.getMessage()),
                e));
      }
    }
  }

  /** Reads what `set-members` will require. */
  private ClusterMember.StopPoint verified(long position, Optional<StateDigest> state) {
    StateDigest read = MembershipChange.verify(directory, position);
    if (!state.equals(Optional.of(read))) {
      throw new MemberException("its snapshot is not that of its state");
    }
    return new ClusterMember.StopPoint(position, read);
  }

  /** The member has ended, whether it has stopped with the others or not. Any thread. */
  void end() {
    stop.completeExceptionally(
        new MemberException(
            "member %d has ended before all members were stopped. %s".formatted(memberId, AGAIN)));
  }

  /** Whether the member has stopped with all others. Any thread. */
  boolean hasStopped() {
    return stop.isDone() && !stop.isCompletedExceptionally();
  }

  /** Why it has ended without having stopped like the others, if it is known. Any thread. */
  Optional<MemberException> failure() {
    return stop.isCompletedExceptionally()
        ? stop.handle((point, why) -> Optional.of((MemberException) why)).join()
        : Optional.empty();
  }

  /** Where it has stopped, for people. */
  String text() {
    return String.format(
        Locale.ROOT,
        "all members were stopped at position %d to change them",
        stop.join().position());
  }
}
