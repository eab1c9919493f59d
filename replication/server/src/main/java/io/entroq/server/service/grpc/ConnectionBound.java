package io.entroq.server.service.grpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.timeout.ReadTimeoutHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts connections from their first byte on, and cuts those that are too many, and those that
 * have fallen silent: whoever is asked for a sign of life and gives none is gone, even if calls of
 * his are open and what is to tell him so cannot be sent.
 */
@Sharable
final class ConnectionBound extends ChannelInboundHandlerAdapter {
  private final int max;
  private final long silenceMs;
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Bounds the connections of a server.
   *
   * @param max how many there may be
   * @param silenceMax without a byte, after which a connection is dead: longer than it takes to ask
   *     for a sign of life, and to have it
   */
  ConnectionBound(int max, Duration silenceMax) {
    this.max = max;
    silenceMs = silenceMax.toMillis();
  }

  int count() {
    return count.get();
  }

  /** What a listening channel reads are connections. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel connection = (Channel) message;
    if (count.incrementAndGet() > max) {
      count.decrementAndGet();
      connection.unsafe().closeForcibly();
      return;
    }
    ChannelFuture unused = connection.closeFuture().addListener(closed -> count.decrementAndGet());
    connection.pipeline().addLast(new SilenceBound(silenceMs));
    context.fireChannelRead(message);
  }

  /**
   * Closes the channel itself. The protocol's own end would wait until every call on it has been
   * told, and that is just what a dead connection does not do.
   */
  private static final class SilenceBound extends ReadTimeoutHandler {
    SilenceBound(long silenceMs) {
      super(silenceMs, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void readTimedOut(ChannelHandlerContext context) {
      ChannelFuture unused = context.close();
    }
  }
}
