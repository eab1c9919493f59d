package io.entroq.service.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.JdkZlibDecoder;
import io.netty.handler.codec.compression.ZlibWrapper;
import io.netty.handler.codec.http.HttpContentDecoder;
import io.netty.handler.codec.http.HttpHeaderValues;
import java.util.List;

/** Decompresses requests, which must be exactly one complete gzip stream. Event loop. */
final class RequestGunzip extends HttpContentDecoder {
  private final int pieceBytesMax;

  /**
   * @param pieceBytesMax bytes of a decompressed piece
   */
  RequestGunzip(int pieceBytesMax) {
    this.pieceBytesMax = pieceBytesMax;
  }

  @Override
  protected EmbeddedChannel newContentDecoder(String encoding) {
    if (!HttpHeaderValues.GZIP.contentEqualsIgnoreCase(encoding)
        && !HttpHeaderValues.X_GZIP.contentEqualsIgnoreCase(encoding)) {
      return null;
    }
    return new EmbeddedChannel(
        ctx.channel().id(),
        ctx.channel().metadata().hasDisconnect(),
        ctx.channel().config(),
        new Whole(pieceBytesMax));
  }

  /** Unlike the codec's decoder, rejects truncated streams and bytes after the end. */
  private static final class Whole extends JdkZlibDecoder {
    private boolean hasBegun;

    Whole(int pieceBytesMax) {
      super(ZlibWrapper.GZIP, pieceBytesMax);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      if (isClosed()) {
        in.skipBytes(in.readableBytes());
        throw new DecompressionException("there is data after its end");
      }
      hasBegun = true;
      super.decode(context, in, out);
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      super.decodeLast(context, in, out);
      if (hasBegun && !isClosed()) {
        // Report it once.
        hasBegun = false;
        throw new DecompressionException("it is truncated");
      }
    }
  }
}
