package io.entroq.service.grpc;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelDuplexHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection that floods the server with HTTP/2 frames that ask for nothing. Such frames
 * cost the sender almost nothing; each costs the connection's thread about a microsecond, and some
 * keep memory. Sits between TLS and the HTTP/2 codec, and looks only at frame headers. Event loop.
 *
 * <p>A connection has an allowance of frames. It grows with time; with the bytes that the server
 * sends, since the reader sends {@code WINDOW_UPDATE} for them; and with each {@code PING} of the
 * server, which the peer answers. These are free: {@code HEADERS}, {@code DATA} with content, one
 * short message for each call, the end of a request, and the reset of a call that is not young,
 * since many calls may meet their deadlines at a time. The reset of a young call, by either side,
 * counts several times, since it wasted a whole call.
 *
 * <p>Separately, a connection may send a small number of empty {@code DATA} frames in its lifetime:
 * each stays in memory until its call goes on, and no gRPC client sends any.
 *
 * <p>It also stops reading from a connection that leaves too many responses unread.
 */
final class FrameLimiter extends ChannelDuplexHandler {
  /** The first allowance of a connection, in frames. */
  static final int FRAMES_FIRST = 5_000;

  /** The first allowance from a suspect address: more than a client sends when it connects. */
  static final int FRAMES_SUSPECT = 100;

  /** The largest allowance. */
  static final int FRAMES_MAX = 10_000;

  /** How much the allowance grows each second. */
  static final int FRAMES_PER_SECOND = 2_000;

  /** How many frames the reset of a young call counts. */
  static final int FRAMES_PER_RESET = 4;

  /**
   * How long a call is young, up to twice as long under load. Most deadlines are longer. The number
   * of open calls already bounds a client that resets only older calls.
   */
  static final long YOUNG_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * How much the allowance grows for each {@code DATA} that is sent, however short: some readers
   * answer it with two {@code WINDOW_UPDATE}, and a {@code PING} to measure their bandwidth.
   */
  static final int FRAMES_PER_DATA = 3;

  /** The allowance grows by one for this many bytes of responses. */
  static final int BYTES_PER_FRAME = 64;

  /**
   * How many empty {@code DATA} frames a connection may send, apart from those that end a request.
   */
  static final int EMPTY_MAX = 128;

  /** How many bytes may wait for the peer to read before the server stops reading from it. */
  static final int UNREAD_BYTES_MAX = 4 << 20;

  private static final int PREFACE_BYTES = 24;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int GOAWAY_BYTES = 2 * Integer.BYTES;
  private static final int ENHANCE_YOUR_CALM = 11;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int PADDED = 8;
  private static final int PADDING_MAX = 256;

  /** {@code DATA} with fewer bytes is little more than a header. */
  private static final int DATA_BYTES_MIN = 16;

  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

  /** How long the peer has to read the reason: closing with unread bytes makes TCP discard it. */
  private static final long LINGER_MS = 250;

  private final FloodTracker floods;
  private final FrameHeaderParser incoming = new FrameHeaderParser(PREFACE_BYTES, this::count);
  private final FrameHeaderParser outgoing = new FrameHeaderParser(0, this::countSent);
  private double frames = FRAMES_FIRST;
  private long filledNs;
  private long rolledNs;

  /** The newest stream, and when it was opened. */
  private int newest;

  private long newestNs;

  /** The newest stream at {@link #rolledNs}. */
  private int newestThen;

  /** The newest stream that is not young. */
  private int old;

  /** Opened streams that the peer has not reset. */
  private int resettable;

  /** Opened streams whose short message has not been seen. */
  private int shortMessages;

  private int empty;
  private int resetsByPeer;
  private int resetsByServer;
  private int carriedByPeer;
  private int carriedByServer;
  private int resetsCounted;
  private boolean isCut;

  /**
   * @param floods knows suspect addresses and the time, and counts closed connections
   */
  FrameLimiter(FloodTracker floods) {
    this.floods = floods;
    filledNs = floods.nowNs();
    rolledNs = filledNs;
    newestNs = filledNs;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (floods.isSuspect(context.channel().remoteAddress())) {
      frames = FRAMES_SUSPECT;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isCut) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof ByteBuf bytes) {
      refill();
      incoming.look(bytes);
      if (frames < 0 || empty > EMPTY_MAX) {
        bytes.release();
        cutWithReason(context);
        return;
      }
    }
    context.fireChannelRead(message);
  }

  /** The HTTP/2 codec requests a read after each one, even while reading is off. */
  @Override
  public void read(ChannelHandlerContext context) {
    if (!isCut && !isUnread(context.channel())) {
      context.read();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    if (isUnread(context.channel())) {
      context.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!isCut && context.channel().isWritable()) {
      context.channel().config().setAutoRead(true);
    }
    context.fireChannelWritabilityChanged();
  }

  private static boolean isUnread(Channel channel) {
    return channel.bytesBeforeWritable() > UNREAD_BYTES_MAX;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      outgoing.look(bytes);
      if (!isCut && isCalmDown(bytes)) {
        cut(
            context,
            "gRPC ended it with ENHANCE_YOUR_CALM, as for too many PING, CONTINUATION or resets");
      }
    }
    ChannelFuture unused = context.write(message, promise);
  }

  private void countSent(int length, int type, int flags, int stream) {
    switch (type) {
      case DATA -> frames += FRAMES_PER_DATA + (double) length / BYTES_PER_FRAME;
      case HEADERS -> frames += (double) length / BYTES_PER_FRAME;
      case RST_STREAM -> countReset(stream, false);
      case PING -> frames += (flags & ACK) == 0 ? 1 : 0;
      default -> {
        // Most others reply to frames that are counted.
      }
    }
  }

  /** Whether these bytes are the GOAWAY by which gRPC or its codec ends a flood. */
  private static boolean isCalmDown(ByteBuf bytes) {
    int at = bytes.readerIndex();
    return bytes.readableBytes() >= FrameHeaderParser.BYTES + GOAWAY_BYTES
        && bytes.getByte(at + 3) == GOAWAY
        && bytes.getInt(at + FrameHeaderParser.BYTES + Integer.BYTES) == ENHANCE_YOUR_CALM;
  }

  private void refill() {
    long nowNs = floods.nowNs();
    double grown = (double) (nowNs - filledNs) * FRAMES_PER_SECOND / SECOND_NS;
    frames = Math.min(FRAMES_MAX, frames + grown);
    filledNs = nowNs;
    if (nowNs - rolledNs >= YOUNG_NS) {
      old = nowNs - newestNs >= YOUNG_NS ? newest : newestThen;
      newestThen = newest;
      rolledNs = nowNs;
      carryResets();
    }
  }

  /**
   * Starts to count the resets of another period. Resets that only one side has sent so far are
   * carried over: the other side may reset the same calls a little later.
   */
  private void carryResets() {
    int unmatched = resetsByPeer - resetsByServer;
    int byPeer = Math.min(Math.max(0, unmatched), resetsByPeer - carriedByPeer);
    int byServer = Math.min(Math.max(0, -unmatched), resetsByServer - carriedByServer);
    carriedByPeer = byPeer;
    carriedByServer = byServer;
    resetsByPeer = byPeer;
    resetsByServer = byServer;
    resetsCounted = Math.max(byPeer, byServer);
  }

  private void count(int length, int type, int flags, int stream) {
    switch (type) {
      case DATA -> countData(length, flags);
      case HEADERS -> {
        if (stream > newest) {
          newest = stream;
          newestNs = filledNs;
          resettable++;
          shortMessages = Math.min(FRAMES_MAX, shortMessages + 1);
        }
      }
      case RST_STREAM -> countReset(stream, true);
      default -> frames--;
    }
  }

  private void countData(int length, int flags) {
    // All of the payload may be padding.
    int padding = (flags & PADDED) == 0 ? 0 : PADDING_MAX;
    if (length >= DATA_BYTES_MIN + padding || (flags & END_STREAM) != 0) {
      return;
    }
    if (length <= padding) {
      frames--;
      empty++;
    } else if (shortMessages > 0) {
      // Many clients send a message and the end of the request in separate frames.
      shortMessages--;
    } else {
      frames--;
    }
  }

  /**
   * Counts a reset. Both sides may reset the same call, as at its deadline, so only the side with
   * more resets of young calls counts. Older calls are free, but the peer may reset each only once.
   */
  private void countReset(int stream, boolean isByPeer) {
    if (stream > old) {
      int resetsOfSide = isByPeer ? ++resetsByPeer : ++resetsByServer;
      if (resetsOfSide > resetsCounted) {
        resetsCounted = resetsOfSide;
        frames -= FRAMES_PER_RESET;
      }
    } else if (isByPeer && resettable == 0) {
      frames--;
    }
    if (isByPeer) {
      resettable = Math.max(0, resettable - 1);
    }
  }

  private void cutWithReason(ChannelHandlerContext context) {
    String reason =
        empty > EMPTY_MAX
            ? "it sent more than %d empty DATA frames".formatted(EMPTY_MAX)
            : "it sent more than %,d control frames, empty frames or resets a second, and %,d at once"
                .formatted(FRAMES_PER_SECOND, FRAMES_MAX);
    cut(context, reason);
    ChannelFuture unused = context.writeAndFlush(goAway(context, reason));
  }

  private void cut(ChannelHandlerContext context, String reason) {
    isCut = true;
    Channel channel = context.channel();
    channel.config().setAutoRead(false);
    floods.onFlood(channel.remoteAddress(), reason);
    Future<?> unused =
        context
            .executor()
            .schedule(
                // Bypasses the handlers, which would wait for the peer to read.
                () -> channel.unsafe().close(channel.newPromise()),
                LINGER_MS,
                TimeUnit.MILLISECONDS);
  }

  private ByteBuf goAway(ChannelHandlerContext context, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    ByteBuf frame = context.alloc().buffer(FrameHeaderParser.BYTES + GOAWAY_BYTES + text.length);
    return frame
        .writeMedium(GOAWAY_BYTES + text.length)
        .writeByte(GOAWAY)
        .writeByte(0)
        .writeInt(0)
        .writeInt(newest)
        .writeInt(ENHANCE_YOUR_CALM)
        .writeBytes(text);
  }
}
