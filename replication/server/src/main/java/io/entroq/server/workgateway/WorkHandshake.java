package io.entroq.server.workgateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides who becomes a session: the first request of a connection must be for a WebSocket, at the
 * path of the gateway, of a program that may. Event loop.
 */
final class WorkHandshake extends SimpleChannelInboundHandler<FullHttpRequest> {
  static final String PATH = "/work";

  private static final String VERSION = "13";

  private static final HttpResponseStatus UPGRADE_REQUIRED = HttpResponseStatus.UPGRADE_REQUIRED;

  private final WorkGatewayServer server;
  private final WorkGatewayConfig config;
  private final AllowedOrigins origins;
  private boolean isDecided;
  private ScheduledFuture<?> deadline;

  WorkHandshake(WorkGatewayServer server, WorkGatewayConfig config) {
    this.server = server;
    this.config = config;
    origins = new AllowedOrigins(config.origins());
  }

  /** The time for all of the request: one that comes byte by byte takes up a connection, too. */
  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    deadline =
        context
            .executor()
            .schedule(
                () -> {
                  var unused = context.close();
                },
                config.requestTime().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  /** It is a session, or the connection has ended. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    deadline.cancel(false);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (isDecided) {
      return;
    }
    isDecided = true;
    if (!request.decoderResult().isSuccess()) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, "this is not an HTTP request");
      return;
    }
    QueryStringDecoder url = new QueryStringDecoder(request.uri());
    try {
      if (mayEnter(context, request, url)) {
        enter(context, request, new WorkRegistration(Map.copyOf(url.parameters())));
      }
    } catch (IllegalArgumentException e) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, "the URL is malformed");
    }
  }

  private boolean mayEnter(
      ChannelHandlerContext context, FullHttpRequest request, QueryStringDecoder url) {
    if (!isFromAllowedOrigin(request)) {
      refuse(
          context,
          HttpResponseStatus.FORBIDDEN,
          "pages of this origin may not connect; see --allow-origin");
    } else if (!url.path().equals(PATH)) {
      refuse(context, HttpResponseStatus.NOT_FOUND, "the work gateway is at " + PATH);
    } else if (!request.method().equals(HttpMethod.GET)) {
      refuse(context, HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET is possible");
    } else if (!hasToken(request)) {
      refuse(context, HttpResponseStatus.UNAUTHORIZED, "the token of the work gateway is missing");
    } else if (!request
        .headers()
        .containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)) {
      refuse(context, UPGRADE_REQUIRED, "connect by WebSocket");
    } else if (!VERSION.equals(request.headers().get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      // The library would also speak drafts of the protocol.
      refuse(context, UPGRADE_REQUIRED, "only version 13 of WebSocket is possible");
    } else {
      return true;
    }
    return false;
  }

  private boolean isFromAllowedOrigin(FullHttpRequest request) {
    List<String> given = request.headers().getAll(HttpHeaderNames.ORIGIN);
    String host = request.headers().get(HttpHeaderNames.HOST, "");
    return given.stream().allMatch(origin -> origins.allows(origin, host));
  }

  private boolean hasToken(FullHttpRequest request) {
    if (config.token().isEmpty()) {
      return true;
    }
    String given = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
    return MessageDigest.isEqual(
        given.getBytes(UTF_8), ("Bearer " + config.token().get()).getBytes(UTF_8));
  }

  private void enter(
      ChannelHandlerContext context, FullHttpRequest request, WorkRegistration registration) {
    WebSocketDecoderConfig decoding =
        WebSocketDecoderConfig.newBuilder()
            .maxFramePayloadLength(config.messageBytesMax())
            .allowExtensions(false)
            // The session says why, and waits until the program has read it.
            .closeOnProtocolViolation(false)
            .build();
    WebSocketServerHandshaker handshaker =
        new WebSocketServerHandshakerFactory("ws://" + PATH, null, decoding).newHandshaker(request);
    WorkGatewayServer.Admission admission = server.admit();
    if (admission != WorkGatewayServer.Admission.ADMITTED) {
      refuse(context, HttpResponseStatus.SERVICE_UNAVAILABLE, admission.why());
      return;
    }
    WebSocketSession session =
        new WebSocketSession(context.channel(), server, config, registration);
    boolean isBegun = false;
    try {
      // If it fails, the connection is closed, which the session sees.
      var unused = handshaker.handshake(context.channel(), request);
      begin(context, session);
      isBegun = true;
    } catch (WebSocketHandshakeException e) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, e.getMessage());
    } finally {
      if (!isBegun) {
        server.leave();
      }
    }
    if (isBegun) {
      server.run(session);
    }
  }

  private void begin(ChannelHandlerContext context, WebSocketSession session) {
    context
        .pipeline()
        .addFirst(
            new IdleStateHandler(config.pingInterval().toMillis(), 0, 0, TimeUnit.MILLISECONDS))
        .addLast(new Utf8FrameValidator(false))
        .addLast(new WebSocketFrameAggregator(config.messageBytesMax()))
        .addLast(session)
        .remove(this);
  }

  private static void refuse(ChannelHandlerContext context, HttpResponseStatus status, String why) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(why + "\n", UTF_8));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
        .setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    if (status.equals(UPGRADE_REQUIRED)) {
      response
          .headers()
          .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
          .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
    } else if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
      response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    var unused = context.close();
  }
}
