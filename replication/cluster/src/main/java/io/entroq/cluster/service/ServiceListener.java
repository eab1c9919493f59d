package io.entroq.cluster.service;

/** What a member hears of its service. Applying thread. */
public interface ServiceListener {
  /**
   * The id of the cluster is known.
   *
   * @throws RuntimeException if it is not the member's; then that ends
   */
  void onClusterId(long high, long low);

  /** The service cannot go on. */
  void onFailure(Throwable cause);
}
