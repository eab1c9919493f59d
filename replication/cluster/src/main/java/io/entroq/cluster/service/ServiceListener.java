package io.entroq.cluster.service;

import java.util.Optional;

/** Receives events of the service. Applying thread. */
public interface ServiceListener {
  /**
   * The cluster's id is known.
   *
   * @throws RuntimeException if the member belongs to another cluster; this ends the member
   */
  void onClusterId(long high, long low);

  /** The present leader, which may be this member, ends soon. */
  void onLeaderLeaving(int memberId);

  /**
   * The members will change. None of the present ones goes on in a later term.
   *
   * @param position of the request in the cluster's log
   * @param termId the term in which it was made
   * @return false if the member has got over that request
   */
  default boolean onClose(long position, long termId) {
    return false;
  }

  /**
   * A term begins.
   *
   * @param termId the term
   * @param leaderId the leader in this term
   * @throws RuntimeException if the member may not go on in it; this ends the member
   */
  default void onTerm(long termId, int leaderId) {}

  /** The leader's clock when it received a message that has just been committed; now and then. */
  default void onLeaderTime(long timestampMs) {}

  /**
   * The service ends in order.
   *
   * @param position the last that it has applied, in the cluster's log
   * @param state of its snapshot with a complete image there; empty if it has none, or the cluster
   *     is not closed. The snapshot may not have been recorded
   */
  default void onStop(long position, Optional<StateDigest> state) {}

  /** The service cannot go on. */
  void onFailure(Throwable cause);
}
