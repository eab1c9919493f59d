package io.entroq.server.service.grpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts connections from their first byte on, and cuts those that are too many. */
@Sharable
final class ConnectionBound extends ChannelInboundHandlerAdapter {
  private final int max;
  private final AtomicInteger count = new AtomicInteger();

  ConnectionBound(int max) {
    this.max = max;
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
    context.fireChannelRead(message);
  }
}
