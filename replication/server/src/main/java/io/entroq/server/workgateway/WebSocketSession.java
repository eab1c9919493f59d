package io.entroq.server.workgateway;

import io.entroq.api.EntroQException;
import io.entroq.workers.GatewayTransport;
import io.entroq.workers.WorkGateway;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One connection: its gateway, and what carries the messages of that, each a WebSocket message,
 * text or binary.
 *
 * <p>Its own thread {@linkplain #run() runs} the gateway. Everything else happens on the event
 * loop.
 */
final class WebSocketSession extends SimpleChannelInboundHandler<WebSocketFrame>
    implements GatewayTransport, Runnable {
  /** How long the other side may take to close the connection. */
  private static final long CLOSE_SECONDS_MAX = 5;

  /** Of a close frame. */
  private static final int REASON_BYTES_MAX = 123;

  private static final System.Logger LOGGER = System.getLogger(WebSocketSession.class.getName());

  private final Channel channel;
  private final WorkGatewayServer server;
  private final WorkGatewayConfig config;
  private final WorkRegistration registration;

  /** Null until the gateway has started. */
  private Receiver receiver;

  /** The first message that came too early; null if none did. */
  private byte[] early;

  private boolean isHungUp;
  private String hangUpReason = "";
  private boolean isClosing;
  private boolean isPinged;

  WebSocketSession(
      Channel channel,
      WorkGatewayServer server,
      WorkGatewayConfig config,
      WorkRegistration registration) {
    this.channel = channel;
    this.server = server;
    this.config = config;
    this.registration = registration;
  }

  /** Works for the program until one of both, or the server, has enough. */
  @Override
  public void run() {
    try {
      work();
    } catch (Throwable e) {
      // Also an error, such as that there is no memory: the program has to know.
      close(WorkGateway.End.GATEWAY, "the work gateway has failed");
      LOGGER.log(System.Logger.Level.WARNING, "a session has failed", e);
    }
  }

  private void work() {
    WorkGateway.Builder builder;
    try {
      builder = config.defaults().apply(registration.queues(config.queues()));
      registration.apply(builder);
    } catch (EntroQException.InvalidArgument e) {
      LOGGER.log(
          System.Logger.Level.WARNING, "refused {0}: {1}", channel.remoteAddress(), e.getMessage());
      config.defaults().apply(config.queues()).refuse(this, e.getMessage());
      close(WorkGateway.End.CALLER, e.getMessage());
      return;
    }
    WorkGateway gateway = builder.start(server.queue(), this);
    CompletableFuture.anyOf(gateway.whenEnded(), server.draining()).join();
    gateway.close();
    close(gateway.end(), gateway.endReason());
    server.sessionEnded(gateway.end());
  }

  /** Ends the connection, and says why. Any thread. */
  void close(WorkGateway.End end, String reason) {
    WebSocketCloseStatus status =
        switch (end) {
          case OK -> WebSocketCloseStatus.NORMAL_CLOSURE;
          case TRANSIENT -> WebSocketCloseStatus.TRY_AGAIN_LATER;
          case CALLER -> WebSocketCloseStatus.POLICY_VIOLATION;
          case GATEWAY -> WebSocketCloseStatus.INTERNAL_SERVER_ERROR;
        };
    channel.eventLoop().execute(() -> sendClose(status, reason));
  }

  /** Says why, once, and waits until the other side has read it. */
  @SuppressWarnings("FutureReturnValueIgnored") // There is nothing to do if it cannot be told.
  private void sendClose(WebSocketCloseStatus status, String reason) {
    if (isClosing) {
      return;
    }
    isClosing = true;
    ChannelFuture sent =
        channel.writeAndFlush(new CloseWebSocketFrame(status.code(), shorten(reason)));
    if (isHungUp) {
      sent.addListener(done -> channel.close());
    }
    // Also then, because whoever does not read keeps it from being sent.
    channel.eventLoop().schedule(() -> channel.close(), CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
  }

  private static String shorten(String reason) {
    byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, REASON_BYTES_MAX);
    while (length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
      length--;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  @Override
  public void start(Receiver newReceiver) {
    channel.eventLoop().execute(() -> deliverTo(newReceiver));
  }

  private void deliverTo(Receiver newReceiver) {
    receiver = newReceiver;
    if (early != null) {
      receiver.onMessage(early);
    }
    if (isHungUp) {
      receiver.onHangUp(hangUpReason);
    }
  }

  @Override
  public void send(byte[] json) throws IOException {
    if (!channel.isActive()) {
      throw new IOException("the connection is closed");
    }
    var unused = channel.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(json)));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
    isPinged = false;
    if (frame instanceof CloseWebSocketFrame) {
      if (isClosing) {
        var unused = context.close();
      } else {
        hangUp("");
      }
    } else if (isClosing || isHungUp) {
      return;
    } else if (frame instanceof PingWebSocketFrame) {
      // Whoever sends pings and does not read must not fill the memory.
      if (channel.isWritable()) {
        var unused = context.writeAndFlush(new PongWebSocketFrame(frame.content().retain()));
      }
    } else if (frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame) {
      message(ByteBufUtil.getBytes(frame.content()));
    }
  }

  private void message(byte[] json) {
    if (receiver != null) {
      receiver.onMessage(json);
    } else if (early == null) {
      early = json;
    }
  }

  private void hangUp(String reason) {
    if (isHungUp) {
      return;
    }
    isHungUp = true;
    hangUpReason = reason;
    if (receiver != null) {
      receiver.onHangUp(reason);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    // Without a word: the program was killed, or the network has failed.
    if (!isClosing) {
      hangUp("the connection has ended");
    }
  }

  /**
   * Nothing has come for a while. A program that is busy with a task need not read meanwhile, so it
   * need not answer. It is asked nevertheless, because proxies end connections that are silent.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof IdleStateEvent) || isClosing || isHungUp) {
      return;
    }
    if (isPinged && (receiver == null || !receiver.isAnswerDue())) {
      hangUp("it does not answer a ping");
    } else {
      isPinged = true;
      var unused = context.writeAndFlush(new PingWebSocketFrame());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof CorruptedWebSocketFrameException corrupted) {
      sendClose(corrupted.closeStatus(), cause.getMessage());
    } else if (cause instanceof TooLongFrameException) {
      sendClose(
          WebSocketCloseStatus.MESSAGE_TOO_BIG,
          "a message has more than %,d bytes".formatted(config.messageBytesMax()));
    } else {
      var unused = context.close();
    }
    hangUp(String.valueOf(cause.getMessage()));
  }
}
