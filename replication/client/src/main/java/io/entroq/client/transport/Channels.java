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
 * Several addresses of one queue, of which one is in use. When it turns out not to be available a
 * {@link FailoverMonitor} finds another one; without a monitor, the next one is in use from then
 * on. Any thread.
 */
public final class Channels implements AutoCloseable {
  private static final Duration END_MAX = Duration.ofSeconds(2);

  private final List<Endpoint> endpoints;
  private final AtomicLong position = new AtomicLong();
  private volatile Endpoint current;
  private volatile FailoverMonitor monitor;

  /**
   * @param endpoints at least one, whose channels are closed with this
   */
  Channels(List<Endpoint> endpoints) {
    this.endpoints = List.copyOf(endpoints);
    current = this.endpoints.get(0);
  }

  /**
   * Channels that are not connected yet, in a random order: so that clients spread over servers,
   * when they begin and when one of the servers is lost.
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
                  // Nothing that is told of an answer blocks.
                  .directExecutor()
                  // Whether to ask again is decided where it is known what was asked.
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

  /** All there are, in the order in which they are tried. */
  List<Endpoint> endpoints() {
    return endpoints;
  }

  /** The one in use. */
  Endpoint current() {
    Endpoint endpoint = current;
    endpoint.connectSoon();
    return endpoint;
  }

  /** Whether this is the one in use. */
  boolean isInUse(Endpoint endpoint) {
    return endpoint == current;
  }

  /** Finds another one from now on when one is left. */
  void watch(FailoverMonitor newMonitor) {
    monitor = newMonitor;
  }

  /** This one is in use from now on. */
  void use(Endpoint endpoint) {
    current = endpoint;
  }

  /**
   * Nothing can be had there: if it is the one in use, that is to be another one.
   *
   * @param connection the number of the place's connection that has told
   */
  void leave(Endpoint unavailable, int connection, Failure why) {
    if (connection != unavailable.connection()) {
      // One that was given up has come to its end at last.
      return;
    }
    FailoverMonitor watching = monitor;
    if (watching != null) {
      unavailable.suspect(why);
      watching.checkNow();
    } else if (unavailable == current) {
      current = after(unavailable);
    }
  }

  private Endpoint after(Endpoint endpoint) {
    return endpoints.get((endpoints.indexOf(endpoint) + 1) % endpoints.size());
  }

  /** A place's answer has seen the log at a position; 0: it does not tell. */
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
   * How far the log at a place has to come before it may be read there: as far as any answer has
   * seen it. 0 if it has come that far.
   */
  long minPosition(Endpoint endpoint) {
    long seen = position.get();
    return endpoint.position() >= seen ? 0 : seen;
  }

  /** The addresses and what speaks against each; for people. Empty if there is only one. */
  String where() {
    return endpoints.size() == 1
        ? ""
        : endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    FailoverMonitor watching = monitor;
    if (watching != null) {
      watching.close();
    }
    endpoints.forEach(endpoint -> endpoint.channel().shutdown());
    long endNs = System.nanoTime() + END_MAX.toNanos();
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
