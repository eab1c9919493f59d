package io.entroq.client.transport;

import io.entroq.api.worker.Backoff;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;

/** A server's channel and health. Any thread, unless noted otherwise. */
final class Endpoint {
  /** Between two reconnects to a server that never answers. */
  private static final long RECONNECT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);

  private final String address;
  private final ManagedChannel channel;
  private volatile long lastResponseNs = System.nanoTime();

  /** The highest log position in its responses; 0 if there was none. */
  private volatile long position;

  /** Why it is considered unavailable; null if it is not. */
  private volatile Failure failure;

  /** Number of the connection in use, from 0. */
  private volatile int connection;

  // Only used by the failover monitor's thread.
  private int failures;
  private long notBeforeNs = System.nanoTime();
  private long reconnectedNs = lastResponseNs;
  private boolean isReconnected;

  Endpoint(String address, ManagedChannel channel) {
    this.address = address;
    this.channel = channel;
  }

  ManagedChannel channel() {
    return channel;
  }

  /**
   * Watches the connection from now on.
   *
   * @param onLost called each time when it was lost; must be quick
   * @return whether there is a connection now
   */
  boolean watchConnection(Runnable onLost) {
    ConnectivityState state = channel.getState(false);
    if (state != ConnectivityState.SHUTDOWN) {
      channel.notifyWhenStateChanged(
          state,
          () -> {
            if (state == ConnectivityState.READY) {
              onLost.run();
            }
            boolean unused = watchConnection(onLost);
          });
    }
    return state == ConnectivityState.READY;
  }

  /** Skips the remaining backoff after a failed attempt to connect. */
  void skipConnectBackoff() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** Records a response that only a working server can send. */
  void noteResponse() {
    lastResponseNs = System.nanoTime();
    failure = null;
  }

  /** Whether there was no response for this time. */
  boolean isSilent(long nowNs, long silenceNs) {
    return nowNs - lastResponseNs >= silenceNs;
  }

  long position() {
    return position;
  }

  /** Records a position, which may be an older one. */
  void notePosition(long newPosition) {
    if (newPosition > position) {
      position = newPosition;
    }
  }

  /** Why it is considered unavailable; null if it is not. */
  Failure failure() {
    return failure;
  }

  /** Marks it as unavailable. */
  void suspect(Failure reason) {
    failure = reason;
  }

  /** A health check has failed. Failover monitor's thread. */
  void onCheckFailed(Failure reason, Backoff backoff) {
    long nowNs = System.nanoTime();
    failure = reason;
    failures++;
    notBeforeNs = nowNs + backoff.after(failures).toNanos();
    if (reason.code() == Status.Code.DEADLINE_EXCEEDED) {
      reconnect(nowNs);
    }
  }

  /**
   * Makes the next request open a new connection. A firewall or router may have dropped the current
   * one silently, and gRPC takes longer to notice than callers wait. An endpoint that has never
   * answered is reconnected less often, since it may simply be down.
   */
  private void reconnect(long nowNs) {
    boolean hasAnswered = lastResponseNs - reconnectedNs > 0;
    if (hasAnswered || nowNs - reconnectedNs >= RECONNECT_INTERVAL_NS) {
      reconnectedNs = nowNs;
      isReconnected = true;
      int abandoned = connection;
      connection = abandoned + 1;
      channel.enterIdle();
    }
  }

  /**
   * Whether there is a new connection since the last call. Requests on the old one must be resent.
   * Failover monitor's thread.
   */
  boolean takeReconnected() {
    boolean wasReconnected = isReconnected;
    isReconnected = false;
    return wasReconnected;
  }

  /** The number of the connection that new requests use. */
  int connection() {
    return connection;
  }

  /** A health check has succeeded. Failover monitor's thread. */
  void onCheckSucceeded() {
    failures = 0;
    noteResponse();
  }

  /** Whether the next health check may start. Failover monitor's thread. */
  boolean isDue(long nowNs) {
    return nowNs - notBeforeNs >= 0;
  }

  @Override
  public String toString() {
    Failure reason = failure;
    return reason == null ? address : address + " (" + reason + ")";
  }
}
