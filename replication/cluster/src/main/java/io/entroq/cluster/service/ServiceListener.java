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

  /** The service cannot go on. */
  void onFailure(Throwable cause);
}
