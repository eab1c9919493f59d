package io.entroq.service.grpc;

import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;

/**
 * Keeps the table of sent headers (HPACK) of a connection small. The codec enters every header of a
 * response, and each has a log position that no other has. In a table of the standard size all
 * others are old positions, and searching and evicting them takes a tenth of the time of a call,
 * for some peers even more. A peer that asks for a size gets it.
 *
 * <p>Stands in front of the HTTP/2 codec until the peer's first bytes, before its settings are
 * read. On the connection's event loop.
 */
final class HeaderTableBound extends ChannelInboundHandlerAdapter {
  /** A response has headers of some 330 bytes that recur, and a position of 53. */
  static final long BYTES = 1_024;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Http2Exception {
    Http2ConnectionHandler codec = context.pipeline().get(Http2ConnectionHandler.class);
    // None yet: the bytes belong to the negotiation of TLS.
    if (codec != null) {
      codec.encoder().configuration().headersConfiguration().maxHeaderTableSize(BYTES);
      context.pipeline().remove(this);
    }
    context.fireChannelRead(message);
  }
}
