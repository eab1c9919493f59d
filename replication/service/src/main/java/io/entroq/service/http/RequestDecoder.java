package io.entroq.service.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ByteProcessor;
import java.util.List;

/**
 * Decodes one request at a time. The next request stays undecoded until {@link #next}, and reading
 * from the connection pauses. So clients may pipeline requests. Event loop.
 */
final class RequestDecoder extends HttpRequestDecoder {
  /** Fired to the next handlers at the first byte of a request. */
  static final Object BEGUN = new Object();

  /** Servers should skip one empty line before a request; some clients send a few. */
  private static final int EMPTY_BYTES_MAX = 64;

  /**
   * How much to skip after a refused request, since clients may read the refusal only after sending
   * everything. More than the default limit of a request.
   */
  static final int SKIPPED_BYTES_MAX = 16 << 20;

  private ChannelHandlerContext context;
  private int emptyBytes;
  private long skippedBytes;
  private boolean isBetween = true;
  private boolean isPaused;
  private boolean isStopped;

  RequestDecoder(HttpDecoderConfig config) {
    super(config);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) throws Exception {
    context = added;
    super.handlerAdded(added);
  }

  /** Reads the next request. Must not be called from within this decoder. */
  void next() {
    isPaused = false;
    context.channel().config().setAutoRead(true);
    if (actualReadableBytes() > 0) {
      try {
        channelRead(context, Unpooled.EMPTY_BUFFER);
      } catch (Exception e) {
        context.fireExceptionCaught(e);
      }
    }
  }

  /** Reads no more requests. Skips further bytes, and closes the connection if there are many. */
  void stop() {
    isStopped = true;
    isPaused = false;
    context.channel().config().setAutoRead(true);
  }

  @Override
  public void channelRead(ChannelHandlerContext read, Object message) throws Exception {
    super.channelRead(read, message);
    if (isPaused && actualReadableBytes() > 0) {
      read.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext read) throws Exception {
    // Otherwise this handler and the next ones would keep reading until there is a message.
    if (read.channel().config().isAutoRead()) {
      super.channelReadComplete(read);
    }
  }

  @Override
  protected void decode(ChannelHandlerContext read, ByteBuf in, List<Object> out) throws Exception {
    if (isStopped) {
      skippedBytes += in.readableBytes();
      in.skipBytes(in.readableBytes());
      if (skippedBytes > SKIPPED_BYTES_MAX) {
        ChannelFuture unused = read.close();
      }
      return;
    }
    if (isPaused || (isBetween && !begins(in, out))) {
      return;
    }
    int before = out.size();
    super.decode(read, in, out);
    for (int i = before; i < out.size() && !isStopped; i++) {
      inspect((HttpObject) out.get(i));
      if (isStopped) {
        // A failed request has no end.
        out.subList(i + 1, out.size()).clear();
      }
    }
  }

  /** Skips empty lines; returns whether a request begins after them. */
  private boolean begins(ByteBuf in, List<Object> out) {
    int first = in.forEachByte(ByteProcessor.FIND_NON_CRLF);
    int empty = (first < 0 ? in.writerIndex() : first) - in.readerIndex();
    in.skipBytes(empty);
    emptyBytes += empty;
    if (emptyBytes > EMPTY_BYTES_MAX) {
      in.skipBytes(in.readableBytes());
      out.add(failed(createInvalidMessage(), InvalidHeadException.emptyLines()));
      isStopped = true;
      return false;
    }
    if (!in.isReadable()) {
      return false;
    }
    emptyBytes = 0;
    isBetween = false;
    context.fireUserEventTriggered(BEGUN);
    return true;
  }

  private void inspect(HttpObject object) {
    boolean isWhole = object.decoderResult().isSuccess();
    if (object instanceof HttpRequest request) {
      try {
        if (isWhole) {
          InvalidHeadException.check(request);
        } else {
          // The headers may give a better reason than the codec's error.
          InvalidHeadException.checkLength(request.headers());
        }
      } catch (InvalidHeadException e) {
        failed(request, e);
        isWhole = false;
      }
    }
    if (!isWhole) {
      isStopped = true;
    } else if (object instanceof LastHttpContent) {
      isBetween = true;
      isPaused = true;
    }
  }

  private static HttpMessage failed(HttpMessage message, DecoderException fault) {
    message.setDecoderResult(DecoderResult.failure(fault));
    return message;
  }
}
