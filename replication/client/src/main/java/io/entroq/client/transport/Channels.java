package io.entroq.client.transport;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The endpoints of one server or cluster, one of them in use. When it is unavailable, a {@link
 * FailoverMonitor} finds another one; without a monitor the next one is used. Any thread.
 */
public final class Channels implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final List<Endpoint> endpoints;
  private final AtomicLong position = new AtomicLong();
  private volatile Endpoint current;
  private volatile FailoverMonitor monitor;

  /**
   * @param endpoints at least one; their channels are closed with this
   */
  Channels(List<Endpoint> endpoints) {
    this.endpoints = List.copyOf(endpoints);
    current = this.endpoints.get(0);
  }

  /**
   * Creates channels that are not connected yet, in random order, so that clients spread over the
   * servers at the start and after a failure.
   *
   * @throws IOException if a file of keys or certificates cannot be read
   */
  public static Channels open(ChannelConfig config) throws IOException {
    ChannelCredentials credentials = credentials(config);
    List<Endpoint> opened = new ArrayList<>();
    for (Address address : config.addresses()) {
      opened.add(
          new Endpoint(
              address.toString(),
              NettyChannelBuilder.forTarget(address.target(), credentials)
                  // Receivers do not block.
                  .directExecutor()
                  // The client itself decides which requests may be retried.
                  .disableRetry()
                  .maxInboundMessageSize(config.messageBytesMax())
                  .keepAliveTime(config.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                  .keepAliveTimeout(config.keepAliveTimeout().toMillis(), TimeUnit.MILLISECONDS)
                  .build()));
    }
    Collections.shuffle(opened, ThreadLocalRandom.current());
    return new Channels(opened);
  }

  private static ChannelCredentials credentials(ChannelConfig config) throws IOException {
    if (!config.isTls()) {
      return InsecureChannelCredentials.create();
    }
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    if (config.certificateAuthority().isPresent()) {
      tls.trustManager(config.certificateAuthority().get().toFile());
    }
    if (config.certificate().isPresent() && config.key().isPresent()) {
      tls.keyManager(config.certificate().get().toFile(), config.key().get().toFile());
    }
    return tls.build();
  }

  /** All endpoints, in the order in which they are tried. */
  List<Endpoint> endpoints() {
    return endpoints;
  }

  /** The endpoint in use. */
  Endpoint current() {
    Endpoint endpoint = current;
    endpoint.skipConnectBackoff();
    return endpoint;
  }

  /**
   * An endpoint by its distance from the one in use.
   *
   * @param skipped 0 for the one in use; less than the number of endpoints
   */
  Endpoint fromCurrent(int skipped) {
    Endpoint endpoint = endpoints.get((endpoints.indexOf(current) + skipped) % endpoints.size());
    endpoint.skipConnectBackoff();
    return endpoint;
  }

  boolean isInUse(Endpoint endpoint) {
    return endpoint == current;
  }

  /** Sets the monitor that handles unavailable endpoints. */
  void setMonitor(FailoverMonitor newMonitor) {
    monitor = newMonitor;
  }

  void use(Endpoint endpoint) {
    current = endpoint;
  }

  /**
   * An endpoint is unavailable. If it is in use, another one will be.
   *
   * @param connection number of the endpoint's connection that failed
   */
  void onUnavailable(Endpoint unavailable, int connection, Failure failure) {
    if (connection != unavailable.connection()) {
      // An abandoned connection has ended.
      return;
    }
    FailoverMonitor failover = monitor;
    if (failover != null) {
      unavailable.suspect(failure);
      failover.checkNow();
    } else if (unavailable == current) {
      current = after(unavailable);
    }
  }

  private Endpoint after(Endpoint endpoint) {
    return endpoints.get((endpoints.indexOf(endpoint) + 1) % endpoints.size());
  }

  /** Records the log position of an endpoint's response; 0 if it has none. */
  void notePosition(Endpoint endpoint, long seen) {
    if (seen > 0) {
      endpoint.noteResponse();
      endpoint.notePosition(seen);
      if (seen > position.get()) {
        position.accumulateAndGet(seen, Math::max);
      }
    }
  }

  /**
   * The log position that an endpoint must reach before it may answer a read: the highest one in
   * any response. 0 if the endpoint is known to have reached it.
   */
  long minPosition(Endpoint endpoint) {
    long seen = position.get();
    return endpoint.position() >= seen ? 0 : seen;
  }

  /** The endpoints with their failures, for messages. Empty if there is only one. */
  String endpointText() {
    return endpoints.size() == 1
        ? ""
        : endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    FailoverMonitor failover = monitor;
    if (failover != null) {
      failover.close();
    }
    endpoints.forEach(endpoint -> endpoint.channel().shutdown());
    long endNs = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
    boolean interrupted = false;
    for (Endpoint endpoint : endpoints) {
      ManagedChannel channel = endpoint.channel();
      try {
        boolean unused =
            channel.awaitTermination(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      channel.shutdownNow();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
