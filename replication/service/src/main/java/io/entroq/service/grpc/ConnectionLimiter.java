package io.entroq.service.grpc;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.limit.Origins;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelPipeline;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Counts connections from their first byte on. Closes those beyond the limit, those that flood the
 * server, and those that have gone silent: a peer that does not answer a ping is gone, even if it
 * has open calls.
 */
@Sharable
final class ConnectionLimiter extends ChannelInboundHandlerAdapter {
  private final long silenceMs;
  private final Budget connections;
  private final Origins addresses;
  private final FloodTracker floods;

  /**
   * Bounds the connections of a server.
   *
   * @param max how many there may be; of these an address has no more than its share
   * @param silenceMax without a byte, after which a connection is dead: longer than it takes to ask
   *     for a sign of life, and to have it
   * @param addresses gets those that they come from
   * @param floods gets those that were cut as they flooded the server; a new connection from such
   *     an address has to wait, and may do less at first
   */
  ConnectionLimiter(int max, Duration silenceMax, Origins addresses, FloodTracker floods) {
    connections = new Budget(Limit.CONNECTIONS, max);
    this.addresses = addresses;
    this.floods = floods;
    silenceMs = silenceMax.toMillis();
  }

  int count() {
    return Math.toIntExact(connections.taken());
  }

  /** What a listening channel reads are connections. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel connection = (Channel) message;
    SocketAddress remote = connection.remoteAddress();
    Origin origin = addresses.enter(remote);
    if (!connections.tryTake(origin, 1, 0)) {
      addresses.leave(remote);
      connection.unsafe().closeForcibly();
      return;
    }
    ChannelFuture unused =
        connection
            .closeFuture()
            .addListener(
                closed -> {
                  connections.give(origin, 1);
                  addresses.leave(remote);
                });
    if (floods.isSuspect(remote)) {
      connection.pipeline().addLast(new DelayedReadHandler());
    }
    connection.pipeline().addLast(new SilenceBound(silenceMs, floods));
    context.fireChannelRead(message);
  }

  /**
   * Closes the channel itself. The protocol's own end would wait until every call on it has been
   * told, and that is just what a dead connection does not do.
   */
  private static final class SilenceBound extends ReadTimeoutHandler {
    private final FloodTracker floods;
    private boolean isFirst = true;

    SilenceBound(long silenceMs, FloodTracker floods) {
      super(silenceMs, TimeUnit.MILLISECONDS);
      this.floods = floods;
    }

    /** By the first read it is known whether there is TLS, and nothing of it is HTTP/2 yet. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      if (isFirst) {
        isFirst = false;
        ChannelPipeline pipeline = context.pipeline();
        ChannelHandlerContext tls = pipeline.context(SslHandler.class);
        pipeline.addAfter((tls == null ? context : tls).name(), null, new FrameLimiter(floods));
      }
      super.channelRead(context, message);
    }

    @Override
    protected void readTimedOut(ChannelHandlerContext context) {
      ChannelFuture unused = context.close();
    }
  }
}
