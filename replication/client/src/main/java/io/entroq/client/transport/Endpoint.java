package io.entroq.client.transport;

import io.entroq.api.worker.Backoff;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;

/** Where a server is: the channel to it, and what is known of it here. Any thread. */
final class Endpoint {
  /** Between two connections that are made in vain. */
  private static final long RECONNECT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);

  private final String address;
  private final ManagedChannel channel;
  private volatile long lastResponseNs = System.nanoTime();

  /** How far the log had come that an answer from there has seen; 0: none has told. */
  private volatile long position;

  /** What it was given up for; null: nothing speaks against it. */
  private volatile Failure trouble;

  /** Which connection is in use, counted from 0. */
  private volatile int connection;

  // Failover monitor's thread.
  private int failures;
  private long notBeforeNs = System.nanoTime();
  private long reconnectedNs = lastResponseNs;
  private boolean isReconnected;

  /**
   * @param address for people
   */
  Endpoint(String address, ManagedChannel channel) {
    this.address = address;
    this.channel = channel;
  }

  ManagedChannel channel() {
    return channel;
  }

  /** One whose last attempt to connect has failed tries again at once. */
  void connectSoon() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** Something has been answered there that only a server in order can answer. */
  void noteResponse() {
    lastResponseNs = System.nanoTime();
    trouble = null;
  }

  /** Whether nothing has been heard for so long. */
  boolean isSilent(long nowNs, long silenceNs) {
    return nowNs - lastResponseNs >= silenceNs;
  }

  long position() {
    return position;
  }

  /** Takes note of a position, which may be one of before. */
  void notePosition(long newPosition) {
    if (newPosition > position) {
      position = newPosition;
    }
  }

  /** What speaks against it; null: nothing. */
  Failure trouble() {
    return trouble;
  }

  /** Nothing can be had there now. */
  void suspect(Failure why) {
    trouble = why;
  }

  /** It was asked whether it is there, and is not. Failover monitor's thread. */
  void failed(Failure why, Backoff backoff) {
    long nowNs = System.nanoTime();
    trouble = why;
    failures++;
    notBeforeNs = nowNs + backoff.after(failures).toNanos();
    if (why.code() == Status.Code.DEADLINE_EXCEEDED) {
      reconnect(nowNs);
    }
  }

  /**
   * Has the next request make a connection of its own. What is between here and there may have
   * forgotten the one in use without a word to either side, and gRPC takes longer to find out than
   * callers wait. One that has never answered anything has a while: it may be that nobody does.
   */
  private void reconnect(long nowNs) {
    boolean hasAnswered = lastResponseNs - reconnectedNs > 0;
    if (hasAnswered || nowNs - reconnectedNs >= RECONNECT_INTERVAL_NS) {
      reconnectedNs = nowNs;
      isReconnected = true;
      int givenUp = connection;
      connection = givenUp + 1;
      channel.enterIdle();
    }
  }

  /**
   * Whether there has been another connection since this was asked last, of which requests that are
   * under way know nothing. Failover monitor's thread.
   */
  boolean takeReconnected() {
    boolean wasRenewed = isReconnected;
    isReconnected = false;
    return wasRenewed;
  }

  /** The number of the connection by which it is asked from now on. */
  int connection() {
    return connection;
  }

  /** It was asked whether it is there, and is. Failover monitor's thread. */
  void isReachable() {
    failures = 0;
    noteResponse();
  }

  /** Whether it may be asked once more. Failover monitor's thread. */
  boolean isDue(long nowNs) {
    return nowNs - notBeforeNs >= 0;
  }

  @Override
  public String toString() {
    Failure why = trouble;
    return why == null ? address : address + " (" + why + ")";
  }
}
