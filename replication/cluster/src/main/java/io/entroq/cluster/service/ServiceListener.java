package io.entroq.cluster.service;

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
   */
  default void onClose(long position) {}

  /**
   * A term begins.
   *
   * @param leaderId the leader in this term
   * @throws RuntimeException if the member may not go on in it; this ends the member
   */
  default void onTerm(int leaderId) {}

  /** The leader's clock when it received a message that has just been committed; now and then. */
  default void onLeaderTime(long timestampMs) {}

  /**
   * The service ends with a snapshot, after which it has applied nothing.
   *
   * @param position of both in the cluster's log
   */
  default void onStop(long position, StateDigest state) {}

  /** The service cannot go on. */
  void onFailure(Throwable cause);
}
