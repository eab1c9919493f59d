package io.entroq.service.grpc;

import io.entroq.engine.gateway.Gateway;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelFactory;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ReflectiveChannelFactory;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The threads that serve connections. They are lent to the engine, so most requests also run on
 * them. There are half as many as processors: the rest is for clients on the same machine, forced
 * writes, snapshots and garbage collection.
 */
public final class EventLoops implements AutoCloseable {
  private static final long QUIET_MS = 0;
  private static final long END_MS_MAX = 2_000;

  private final EventLoopGroup group;
  private final Class<? extends ServerChannel> channels;

  /** One for every two processors. */
  public EventLoops() {
    this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  EventLoops(int threads) {
    boolean isEpoll = Epoll.isAvailable();
    IoHandlerFactory io = isEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    channels = isEpoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    group =
        new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("entroq-grpc", true), io);
  }

  /** Lends all threads to the engine. */
  EventLoops lendTo(Gateway gateway) {
    for (EventExecutor loop : group) {
      loop.execute(() -> gateway.lendThread(loop));
    }
    return this;
  }

  /** Runs a server on these threads. */
  public NettyServerBuilder serve(NettyServerBuilder builder) {
    return builder.bossEventLoopGroup(group).workerEventLoopGroup(group).channelType(channels);
  }

  /** Runs a server on these threads, with a limit on its connections. */
  NettyServerBuilder serve(NettyServerBuilder builder, ConnectionLimiter limiter) {
    ChannelFactory<? extends ServerChannel> listening = new ReflectiveChannelFactory<>(channels);
    return builder
        .bossEventLoopGroup(group)
        .workerEventLoopGroup(group)
        .channelFactory(
            () -> {
              ServerChannel channel = listening.newChannel();
              // Before the server's own handler, which accepts connections.
              channel.pipeline().addLast(limiter);
              return channel;
            });
  }

  /** Runs a task soon; on the calling thread if it is one of these, after its current work. */
  void afterwards(Runnable task) {
    for (EventExecutor loop : group) {
      if (loop.inEventLoop()) {
        loop.execute(task);
        return;
      }
    }
    group.execute(task);
  }

  /** Runs delayed and periodic tasks on one of the threads. */
  ScheduledExecutorService clock() {
    return group;
  }

  /** Stops the threads. Call it after the server has ended. */
  @Override
  public void close() {
    group
        .shutdownGracefully(QUIET_MS, END_MS_MAX, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(END_MS_MAX);
  }
}
