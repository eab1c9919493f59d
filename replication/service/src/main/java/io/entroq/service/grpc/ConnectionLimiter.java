package io.entroq.service.grpc;

import io.entroq.service.limit.ConnectionBudget;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts connections from their first byte on. Closes those beyond the limit, those that flood the
 * server, and those that have gone silent: a peer that does not answer a ping is gone, even if it
 * has open calls.
 */
@Sharable
final class ConnectionLimiter extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimiter.class);

  private final long silenceMs;
  private final ConnectionBudget connections;
  private final FloodTracker floods;

  /**
   * @param max open connections; an address gets only its share
   * @param silenceMax how long a connection may send nothing: longer than it takes to ping the peer
   *     and get the answer
   * @param addresses of the open connections
   * @param floods knows suspect addresses, whose connections are delayed and may do less at first
   */
  ConnectionLimiter(int max, Duration silenceMax, Origins addresses, FloodTracker floods) {
    connections = new ConnectionBudget(max, addresses);
    this.floods = floods;
    silenceMs = silenceMax.toMillis();
  }

  int count() {
    return connections.count();
  }

  /** The messages of a listening channel are connections. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel connection = (Channel) message;
    SocketAddress remote = connection.remoteAddress();
    Origin origin = connections.enter(remote);
    if (origin == null) {
      connection.unsafe().closeForcibly();
      return;
    }
    ChannelFuture unused =
        connection.closeFuture().addListener(closed -> connections.leave(remote, origin));
    if (floods.isSuspect(remote)) {
      connection.pipeline().addLast(new DelayedReadHandler());
    }
    connection.pipeline().addLast(new SilenceBound(silenceMs, floods));
    context.fireChannelRead(message);
  }

  /**
   * Closes the channel directly. gRPC's own close would wait until every call's status is written,
   * which never happens on a dead connection.
   */
  private static final class SilenceBound extends ReadTimeoutHandler {
    private final long silenceMs;
    private final FloodTracker floods;
    private boolean isFirst = true;

    SilenceBound(long silenceMs, FloodTracker floods) {
      super(silenceMs, TimeUnit.MILLISECONDS);
      this.silenceMs = silenceMs;
      this.floods = floods;
    }

    /** The first read tells whether TLS is used, before any HTTP/2 has been read. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      if (isFirst) {
        isFirst = false;
        ChannelPipeline pipeline = context.pipeline();
        ChannelHandlerContext tls = pipeline.context(SslHandler.class);
        String before = (tls == null ? context : tls).name();
        pipeline.addAfter(before, null, new HeaderTableBound());
        pipeline.addAfter(before, null, new FrameLimiter(floods));
      }
      super.channelRead(context, message);
    }

    @Override
    protected void readTimedOut(ChannelHandlerContext context) {
      LOG.debug(
          "Closed the gRPC connection from {}: it sent nothing for {} ms, not even a reply to a"
              + " ping.",
          context.channel().remoteAddress(),
          silenceMs);
      ChannelFuture unused = context.close();
    }
  }
}
