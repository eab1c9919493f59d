package io.entroq.client.transport;

import io.grpc.ChannelCredentials;
import io.grpc.ConnectivityState;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A channel to each address, of which one is in use until it turns out not to be available; then
 * the next one is. Any thread.
 */
public final class Channels implements AutoCloseable {
  private static final Duration END_MAX = Duration.ofSeconds(2);

  private final List<ManagedChannel> channels;
  private final AtomicInteger current = new AtomicInteger();

  /**
   * @param channels at least one, closed with this
   */
  Channels(List<ManagedChannel> channels) {
    this.channels = List.copyOf(channels);
  }

  /**
   * Channels that are not connected yet.
   *
   * @throws IOException if a file of keys or certificates cannot be read
   */
  public static Channels open(ChannelConfig config) throws IOException {
    ChannelCredentials credentials = credentials(config);
    List<ManagedChannel> opened = new ArrayList<>();
    for (Address address : config.addresses()) {
      opened.add(
          NettyChannelBuilder.forTarget(address.target(), credentials)
              // Nothing that is told of an answer blocks.
              .directExecutor()
              // Whether to ask again is decided where it is known what was asked.
              .disableRetry()
              .maxInboundMessageSize(config.messageBytesMax())
              .keepAliveTime(config.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
              .keepAliveTimeout(config.keepAliveTimeout().toMillis(), TimeUnit.MILLISECONDS)
              .build());
    }
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

  /** The channel in use. One whose last attempt to connect has failed tries again at once. */
  ManagedChannel current() {
    ManagedChannel channel = channels.get(current.get());
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
    return channel;
  }

  /** Nothing can be had over a channel: if it is the one in use, the next one is from now on. */
  void leave(ManagedChannel unavailable) {
    int index = channels.indexOf(unavailable);
    boolean unused = current.compareAndSet(index, (index + 1) % channels.size());
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdown);
    long endNs = System.nanoTime() + END_MAX.toNanos();
    boolean interrupted = false;
    for (ManagedChannel channel : channels) {
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
