package io.entroq.perf.served;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections over loopback. They share event loops, on which answers lead to the next calls. */
final class Connections implements AutoCloseable {
  private static final int MESSAGE_BYTES_MAX = 64 << 20;

  private final EventLoopGroup loops;
  private final List<ManagedChannel> open = new ArrayList<>();

  Connections(int threads) {
    loops =
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory("client", true), EpollIoHandler.newFactory());
  }

  /** Opens another connection. */
  ManagedChannel connect(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .directExecutor()
            .eventLoopGroup(loops)
            .channelType(EpollSocketChannel.class)
            .maxInboundMessageSize(MESSAGE_BYTES_MAX)
            .build();
    open.add(channel);
    return channel;
  }

  @Override
  public void close() {
    open.forEach(ManagedChannel::shutdownNow);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
