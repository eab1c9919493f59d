package io.entroq.service.http;

import io.entroq.engine.gateway.Gateway;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/**
 * Serves the v1 API and pages about the server over HTTP/1.1. Any thread.
 *
 * <p>Does not own the engine: close the server first, then the engine.
 */
public final class HttpServer implements AutoCloseable {
  private static final int THREADS_MAX = 8;
  private static final int BACKLOG = 1_024;
  private static final int READ_BYTES_MIN = 64;
  private static final int READ_BYTES_FIRST = 2 << 10;
  private static final int READ_BYTES_MAX = 16 << 10;

  /** The first line holds the ids of a listing by ids. */
  private static final int LINE_BYTES_MAX = Limit.LINE_BYTES.standard();

  private static final int CHUNK_BYTES_MAX = 8 << 10;

  /** How much may wait for a slow reader, in bytes. */
  private static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(32 << 10, 64 << 10);

  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  private final HttpServerConfig config;
  private final BlockedClaims blocked;
  private final Optional<SslContext> tls;
  private final HttpConnections connections;
  private final Budget budget;
  private final Routes routes;
  private final EventLoopGroup loops;
  private Channel listener;

  private HttpServer(
      Service service,
      BlockedClaims blocked,
      Map<String, PageSource> pages,
      HttpServerConfig config)
      throws SSLException {
    this.config = config;
    this.blocked = blocked;
    tls = config.tls().isPresent() ? Optional.of(tls(config.tls().get())) : Optional.empty();
    connections = new HttpConnections(config.connectionsMax());
    budget = new Budget(Limit.HTTP_BYTES, config.callBytesMax());
    Map<String, PageSource> all =
        new HashMap<>(new HealthPages(service, connections, config.health()).pages());
    all.putAll(pages);
    routes = new Routes(service, all, config);
    loops =
        new NioEventLoopGroup(
            Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors()),
            new DefaultThreadFactory("entroq-http", true));
  }

  /**
   * Starts a server.
   *
   * @param before adds filters to the service, {@link
   *     io.entroq.service.validation.ValidatedService} among them
   * @param pages further pages by path, such as {@code /metrics}; may replace health pages
   * @throws IOException if the port or the TLS keys cannot be used
   */
  public static HttpServer start(
      Gateway gateway,
      HttpServerConfig config,
      UnaryOperator<Service> before,
      Map<String, PageSource> pages)
      throws IOException {
    BlockedClaims blocked = new BlockedClaims();
    Service service =
        before.apply(new QueueService(Facade.V1, gateway, blocked, config.messageBytesMax()));
    HttpServer server = new HttpServer(service, blocked, pages, config);
    server.listen();
    return server;
  }

  private static SslContext tls(HttpTls tls) throws SSLException {
    SslContextBuilder builder =
        SslContextBuilder.forServer(tls.keys())
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2");
    if (tls.clients().isPresent()) {
      builder.trustManager(tls.clients().get()).clientAuth(ClientAuth.REQUIRE);
    }
    return builder.build();
  }

  private void listen() throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            // Read one buffer per connection at a time: it may hold many chunks.
            .childOption(
                ChannelOption.RCVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX)
                    .maxMessagesPerRead(1))
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    initialize(channel);
                  }
                })
            .bind(
                config
                    .host()
                    .map(host -> new InetSocketAddress(host, config.port()))
                    .orElseGet(() -> new InetSocketAddress(config.port())))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
    listener = bound.channel();
  }

  private void initialize(SocketChannel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    tls.ifPresent(context -> pipeline.addLast(context.newHandler(channel.alloc())));
    RequestDecoder decoder =
        new RequestDecoder(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(Math.max(LINE_BYTES_MAX, config.headerBytesMax()))
                .setMaxHeaderSize(config.headerBytesMax())
                .setMaxChunkSize(CHUNK_BYTES_MAX)
                // The defaults; set so that system properties cannot change them.
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
    pipeline.addLast(decoder);
    pipeline.addLast(new HttpResponseEncoder());
    pipeline.addLast(new ResponseGzip());
    // A larger piece would be refused anyway.
    pipeline.addLast(new RequestGunzip(2 * config.messageBytesMax()));
    pipeline.addLast(new HttpConnection(config, routes, connections, budget, decoder));
  }

  /** The port it listens on. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** The number of open connections. */
  public int connections() {
    return connections.count();
  }

  /** The bytes of requests and responses in memory. */
  long heldBytes() {
    return budget.taken();
  }

  /** The number of claims that wait for a task. */
  public int blockedClaims() {
    return blocked.count();
  }

  /**
   * Shuts down gracefully: accepts no new connections, answers waiting claims without a task, and
   * lets everything else finish.
   *
   * @param patience how long to wait before closing connections
   * @return whether everything finished in time
   */
  public boolean drain(Duration patience) {
    stopListening();
    connections.drain();
    blocked.end();
    boolean isFinished = awaitNone(patience);
    close();
    return isFinished;
  }

  private boolean awaitNone(Duration patience) {
    try {
      return connections.awaitNone(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return connections.count() == 0;
    }
  }

  private void stopListening() {
    if (listener != null && listener.isOpen()) {
      listener.close().syncUninterruptibly();
    }
  }

  /** Closes all connections. */
  @Override
  public void close() {
    stopListening();
    loops
        .shutdownGracefully(0, CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_MAX.toMillis());
  }
}
