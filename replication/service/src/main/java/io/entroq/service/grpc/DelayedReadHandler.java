package io.entroq.service.grpc;

import io.grpc.netty.shaded.io.netty.channel.ChannelDuplexHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Reads nothing from a new connection for a second, so that no TLS handshake starts either. The
 * first handler of the pipeline; removes itself. Event loop.
 */
final class DelayedReadHandler extends ChannelDuplexHandler {
  static final long HOLD_MS = 1_000;

  private Future<?> release;
  private boolean isReadRequested;

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    release = context.executor().schedule(() -> release(context), HOLD_MS, TimeUnit.MILLISECONDS);
  }

  /** Also called when the connection has ended. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release.cancel(false);
  }

  @Override
  public void read(ChannelHandlerContext context) {
    isReadRequested = true;
  }

  /** Without a read request, only the end of the connection is reported; it is closed at once. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
    ChannelFuture unused = context.close();
  }

  private void release(ChannelHandlerContext context) {
    if (isReadRequested) {
      context.read();
    }
    context.pipeline().remove(this);
  }
}
