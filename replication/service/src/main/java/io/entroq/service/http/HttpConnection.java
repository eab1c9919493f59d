package io.entroq.service.http;

import io.entroq.service.call.CallContext;
import io.entroq.service.call.Protocol;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.http.protocol.StatusCodes;
import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.limit.ReadTimeout;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection, with one request and response at a time. Event loop, except as noted.
 *
 * <p>It keeps reading while a request runs, to notice when the peer closes the connection. If the
 * next request arrives meanwhile, reading stops until the first one is answered.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  static final String TRANSPORT = "http";

  /** The refusal if there is no memory for a request or response. */
  static final Refusal NO_ROOM =
      Limit.HTTP_BYTES.refusal(
          "requests and responses over HTTP use all of their memory, or this address has its share"
              + " of it. Try again later");

  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  /** How long to read the rest of a refused request: many clients send all of it before reading. */
  private static final Duration LINGER = Duration.ofSeconds(2);

  /** A response up to this size always has room, so that health pages always work. */
  private static final int SMALL_BYTES = 1 << 10;

  private final HttpServerConfig config;
  private final Routes routes;
  private final HttpConnections connections;
  private final Budget budget;
  private final RequestDecoder decoder;
  private ChannelHandlerContext context;
  private SocketAddress remote;

  /** Null until the connection is open, or if there was no room for it. */
  private Origin origin;

  private RequestBody body;
  private ConnectionTimeout timeout;
  private State state = State.IDLE;
  private HttpRequest head;
  private Exchange exchange;
  private boolean isChunked;

  private enum State {
    IDLE,
    READING,
    RESPONDING,
    CLOSING
  }

  HttpConnection(
      HttpServerConfig config,
      Routes routes,
      HttpConnections connections,
      Budget budget,
      RequestDecoder decoder) {
    this.config = config;
    this.routes = routes;
    this.connections = connections;
    this.budget = budget;
    this.decoder = decoder;
  }

  HttpServerConfig config() {
    return config;
  }

  /** The peer's address, since a connection carries one call at a time. */
  Origin origin() {
    return origin;
  }

  InetSocketAddress local() {
    return (InetSocketAddress) channel().localAddress();
  }

  InetSocketAddress remote() {
    return (InetSocketAddress) remote;
  }

  boolean isTls() {
    return context.pipeline().get(SslHandler.class) != null;
  }

  /** The certificate of the peer; empty without TLS, or if it has shown none. */
  Optional<X509Certificate> peer() {
    SslHandler tls = context.pipeline().get(SslHandler.class);
    try {
      return tls == null
          ? Optional.empty()
          : Optional.of((X509Certificate) tls.engine().getSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  CallContext context(ApiRequest request, OptionalLong deadlineNanos, Protocol protocol) {
    return new CallContext(TRANSPORT, request.headers(), deadlineNanos, origin, protocol);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    timeout = new ConnectionTimeout(added.executor(), this::onTimeout);
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    remote = channel().remoteAddress();
    origin = connections.add(this, remote);
    if (origin == null) {
      state = State.CLOSING;
      close();
    } else {
      body = new RequestBody(config.messageBytesMax(), budget, origin);
      timeout.expireIn(config.idleMax());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    state = State.CLOSING;
    if (origin == null) {
      return;
    }
    timeout.stop();
    body.clear();
    cancelExchange();
    connections.remove(this, remote, origin);
  }

  /** {@link #channelInactive} does the rest. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void close() {
    context.close();
  }

  private void cancelExchange() {
    if (exchange != null) {
      Exchange cancelled = exchange;
      exchange = null;
      cancelled.cancel();
    }
  }

  /** Closes when no request is running. Any thread. */
  void drain() {
    execute(
        () -> {
          if (state == State.IDLE || (state == State.READING && head == null)) {
            close();
          } else if (exchange != null) {
            exchange.endWait();
          }
        });
  }

  // ---- Requests.

  @Override
  public void channelRead(ChannelHandlerContext read, Object message) {
    try {
      if (state == State.CLOSING) {
        return;
      }
      if (message instanceof HttpRequest request) {
        beginRequest(request);
      }
      if (message instanceof HttpContent content && state == State.READING) {
        addToBody(content);
      }
    } catch (RefusedException e) {
      refuse(StatusCodes.status(e.refusal().code()), e.refusal());
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
    if (event == RequestDecoder.BEGUN && state == State.IDLE) {
      state = State.READING;
      timeout.expireIn(config.stallMax());
    } else {
      triggered.fireUserEventTriggered(event);
    }
  }

  private void beginRequest(HttpRequest request) {
    head = request;
    state = State.READING;
    if (request.decoderResult().isFailure()) {
      refuseMalformed(request.decoderResult());
    } else if (HttpUtil.isContentLengthSet(request)) {
      body.checkLength(HttpUtil.getContentLength(request));
    }
    if (state == State.READING && request.headers().contains(HttpHeaderNames.EXPECT)) {
      respondToExpect(request);
    }
  }

  private void respondToExpect(HttpRequest request) {
    if (!request.protocolVersion().isKeepAliveDefault()) {
      // HTTP/1.0 does not define it.
      return;
    }
    if (HttpUtil.is100ContinueExpected(request)) {
      context
          .writeAndFlush(
              new DefaultFullHttpResponse(
                  HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    } else {
      refuse(417, new Refusal(Status.Code.UNIMPLEMENTED, "Expect: only 100-continue is supported"));
    }
  }

  private void refuseMalformed(DecoderResult result) {
    Throwable cause = result.cause();
    if (cause instanceof InvalidHeadException fault) {
      refuse(fault.status(), new Refusal(fault.code(), fault.getMessage()));
    } else if (cause instanceof TooLongHttpLineException) {
      refuse(
          414,
          Refusal.invalid(
              Limit.LINE_BYTES.named("the first line of the request, or of a chunk, is too long")));
    } else if (cause instanceof TooLongHttpHeaderException) {
      refuse(
          431,
          Refusal.invalid(
              Limit.HEADER_BYTES.named(
                  "the headers have more than %d bytes".formatted(config.headerBytesMax()))));
    } else {
      refuse(400, Refusal.invalid("the request cannot be read: " + cause.getMessage()));
    }
  }

  private void addToBody(HttpContent content) {
    if (content.decoderResult().isFailure()) {
      refuseMalformed(content.decoderResult());
      return;
    }
    body.add(content.content());
    if (content instanceof LastHttpContent) {
      beginExchange();
    }
  }

  private void beginExchange() {
    state = State.RESPONDING;
    timeout.suspend();
    exchange = routes.exchange(this, new ApiRequest(head, body.take()));
    try {
      exchange.begin();
    } catch (RuntimeException e) {
      LOG.error("A request failed because of an internal error.", e);
      Exchange failed = exchange;
      failed.cancel();
      execute(() -> respond(failed, ApiResponse.text(500, "Internal Server Error")));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext caught, Throwable cause) {
    if (cause instanceof CodecException && head != null && state != State.RESPONDING) {
      if (state == State.READING) {
        Throwable why = cause.getCause() == null ? cause : cause.getCause();
        refuse(400, Refusal.invalid("the body is not valid gzip: " + why.getMessage()));
      }
      return;
    }
    LOG.debug("A connection has failed.", cause);
    close();
  }

  private void onTimeout() {
    if (state == State.READING) {
      refuse(
          408,
          new Refusal(
              Status.Code.DEADLINE_EXCEEDED,
              Limit.STALL.named(
                  "the request has not arrived within %d ms"
                      .formatted(config.stallMax().toMillis()))));
      return;
    }
    if (state == State.IDLE) {
      LOG.debug(
          "Closed the HTTP connection from {}: {}",
          remote,
          Limit.HTTP_IDLE.named("no request for " + config.idleMax().toMillis() + " ms"));
    } else if (state == State.RESPONDING) {
      connections.logStall(remote, config.stallMax());
    }
    close();
  }

  // ---- Responses.

  /** Whether there is memory for a response until it has been read. */
  boolean hasRoomFor(ApiResponse response) {
    int bytes = response.body().length;
    return bytes <= SMALL_BYTES || budget.hasRoom(origin, bytes);
  }

  /** Sends a response, unless the request was canceled. */
  void respond(Exchange expected, ApiResponse response) {
    if (expected != exchange) {
      return;
    }
    int bytes = response.body().length;
    budget.force(origin, bytes);
    timeout.expireIn(ReadTimeout.of(config.stallMax(), bytes));
    context
        .writeAndFlush(message(response, isLast()))
        .addListener(
            (ChannelFuture written) -> {
              budget.give(origin, bytes);
              onResponded(expected, written);
            });
  }

  /**
   * Starts a chunked response.
   *
   * @param headers other than those about the body
   */
  void beginChunked(String mediaType, Map<String, String> headers) {
    isChunked = true;
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, mediaType);
    headers.forEach(response.headers()::set);
    HttpUtil.setTransferEncodingChunked(response, isHttp11());
    addCommon(response.headers(), isLast());
    context.write(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** Writes a part of a chunked response. */
  void writeChunk(ByteBuf part) {
    context
        .writeAndFlush(new DefaultHttpContent(part))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    if (!isWritable()) {
      timeout.expireIn(ReadTimeout.of(config.stallMax(), unwritten()));
    }
  }

  /**
   * Writes the last part of a chunked response.
   *
   * @param trailers headers that were not known when the response began
   */
  void writeLastChunk(Exchange expected, ByteBuf part, Map<String, String> trailers) {
    isChunked = false;
    int bytes = part.readableBytes();
    budget.force(origin, bytes);
    long ahead = unwritten();
    timeout.expireIn(ReadTimeout.of(config.stallMax(), ahead + bytes));
    LastHttpContent last = new DefaultLastHttpContent(part);
    trailers.forEach(last.trailingHeaders()::set);
    context
        .writeAndFlush(last)
        .addListener(
            (ChannelFuture written) -> {
              budget.give(origin, bytes);
              onResponded(expected, written);
            });
  }

  /**
   * Closes the connection within a chunked response that cannot be completed, so that the client
   * does not take what it has for the whole.
   */
  void abort(Exchange expected) {
    if (expected == exchange) {
      close();
    }
  }

  /** How much has to be read before there is room for more, in bytes. */
  private long unwritten() {
    // A closed channel has no number.
    return channel().isActive() ? channel().bytesBeforeWritable() : 0;
  }

  /** Whether there is room for more of a chunked response. Any thread. */
  boolean isWritable() {
    return channel().isWritable();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    if (isChunked && exchange != null && isWritable()) {
      timeout.suspend();
      exchange.ready();
    }
  }

  private void onResponded(Exchange expected, ChannelFuture written) {
    if (expected != exchange) {
      return;
    }
    if (!written.isSuccess()) {
      close();
      return;
    }
    exchange = null;
    expected.delivered();
    if (isLast()) {
      state = State.CLOSING;
      close();
    } else {
      awaitNext();
    }
  }

  private void awaitNext() {
    state = State.IDLE;
    head = null;
    timeout.expireIn(config.idleMax());
    decoder.next();
  }

  private boolean isLast() {
    return connections.isDraining() || !HttpUtil.isKeepAlive(head) || !isHttp11();
  }

  /** Whether the client supports chunks. In HTTP/1.0, the end of the connection ends a response. */
  boolean isHttp11() {
    return head.protocolVersion().isKeepAliveDefault();
  }

  /** Refuses a request that has not completely arrived, then closes the connection. */
  private void refuse(int status, Refusal refusal) {
    ApiResponse response = routes.refusal(Optional.ofNullable(head), status, refusal);
    state = State.CLOSING;
    decoder.stop();
    body.clear();
    timeout.expireIn(LINGER);
    // Bypass the compressor, which may not have seen the request.
    context
        .pipeline()
        .context(ResponseGzip.class)
        .writeAndFlush(message(response, true))
        .addListener(
            (ChannelFuture written) -> {
              if (!written.isSuccess() || context.pipeline().get(SslHandler.class) != null) {
                close();
              } else {
                ((DuplexChannel) channel())
                    .shutdownOutput()
                    .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
              }
            });
  }

  private FullHttpResponse message(ApiResponse response, boolean isLast) {
    FullHttpResponse message =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(response.status()),
            isHead() ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(response.body()));
    HttpHeaders headers = message.headers();
    headers.set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
    headers.set(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
    headers.set(HttpHeaderNames.ACCEPT_ENCODING, "gzip");
    if (response.status() == HttpResponseStatus.UNAUTHORIZED.code()) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    response.headers().forEach(headers::set);
    addCommon(headers, isLast);
    return message;
  }

  private boolean isHead() {
    return head != null && head.method().equals(HttpMethod.HEAD);
  }

  /** Adds what every response has, whatever its route and status. */
  private static void addCommon(HttpHeaders headers, boolean isLast) {
    headers.set(Protocol.HEADER, Protocol.SERVED);
    headers.set(Protocol.RELEASE_HEADER, Protocol.RELEASE);
    if (isLast) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
  }

  // ---- Scheduling.

  /** Runs an action on the event loop later. Any thread. */
  void execute(Runnable action) {
    try {
      context.executor().execute(() -> run(action));
    } catch (RejectedExecutionException e) {
      LOG.debug("A response came after the server had stopped.", e);
    }
  }

  /** Runs an action on the event loop after a delay. */
  Future<?> schedule(Duration after, Runnable action) {
    return context.executor().schedule(() -> run(action), after.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Closes the connection if the action fails, so that the client does not wait forever. */
  private void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.error("A response failed because of an internal error.", e);
      close();
    }
  }

  private Channel channel() {
    return context.channel();
  }
}
