package io.entroq.client;

import io.entroq.client.translation.WireRequests;
import io.entroq.client.transport.ServerFeatures;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the calls of a client share once a server has answered. Any thread. */
final class ServerConnection {
  final Dispatcher dispatcher;
  final ServerClock clock;
  final ServerFeatures features;
  final WireRequests requests;
  final CurrentWindow windows;
  final ClaimIdentities identities = new ClaimIdentities();
  final long claimIntervalMs;
  final int requestBytesMax;
  final boolean isOfThePast;

  /** Whether the server's clock is being sampled in the background. */
  final AtomicBoolean isRefreshing = new AtomicBoolean();

  /** These become true when the level of the server's log is raised. */
  private volatile boolean hasPolicies;

  private volatile boolean hasPools;

  /**
   * @param clock has a sample
   */
  ServerConnection(
      ClientConfig config,
      String claimant,
      Dispatcher dispatcher,
      ServerClock clock,
      ServerFeatures features) {
    this.dispatcher = dispatcher;
    this.clock = clock;
    this.features = features;
    requests = new WireRequests(claimant, features, clock::nowMs);
    windows = new CurrentWindow(dispatcher::schedule);
    claimIntervalMs = config.claimInterval().toMillis();
    requestBytesMax = config.requestBytesMax();
    isOfThePast = config.asOf().isPresent();
    note(features);
  }

  /** Notes what the server has by now. */
  void note(ServerFeatures now) {
    if (now.hasPolicies()) {
      hasPolicies = true;
    }
    if (now.hasPools()) {
      hasPools = true;
    }
  }

  boolean hasPolicies() {
    return hasPolicies;
  }

  boolean hasPools() {
    return hasPools;
  }
}
