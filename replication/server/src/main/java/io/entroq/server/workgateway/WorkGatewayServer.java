package io.entroq.server.workgateway;

import io.entroq.api.EntroQ;
import io.entroq.workers.WorkGateway;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.net.ExtendedSocketOptions;

/**
 * Listens for programs that want to work, and runs a {@link WorkGateway} for each. Thread-safe.
 * Close it before the EntroQ.
 */
public final class WorkGatewayServer implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(WorkGatewayServer.class.getName());

  private static final int LINE_BYTES_MAX = 64 << 10;
  private static final int HEADER_BYTES_MAX = 16 << 10;
  private static final int CHUNK_BYTES_MAX = 8 << 10;

  /** A request for a WebSocket has none. */
  private static final int BODY_BYTES_MAX = 8 << 10;

  /** Connections that are being refused, or have not asked for anything yet. */
  private static final int EXTRA_CONNECTIONS = 64;

  /**
   * After a minute, the system sees that the other machine is gone; but only if it has acknowledged
   * all that was sent, pings included. Otherwise it takes as long as the system sends that again.
   */
  private static final int KEEPALIVE_IDLE_SECONDS = 30;

  private static final int KEEPALIVE_INTERVAL_SECONDS = 10;
  private static final int KEEPALIVE_PROBES = 3;

  /** More than a gateway takes to close. */
  private static final long CLOSE_SECONDS_MAX = 50;

  /** More than the other side has time for to close a connection. */
  private static final long DISCONNECT_SECONDS_MAX = 6;

  /** What becomes of a program that wants to work. */
  enum Admission {
    ADMITTED(""),
    FULL("too many programs are connected; see --connections"),
    DRAINING("the work gateway is shutting down");

    private final String why;

    Admission(String why) {
      this.why = why;
    }

    /** Why it may not. */
    String why() {
      return why;
    }
  }

  private final EntroQ queue;
  private final WorkGatewayConfig config;
  private final EventLoopGroup loop =
      new NioEventLoopGroup(1, new DefaultThreadFactory("entroq-work-gateway", true));
  private final ExecutorService threads =
      Executors.newCachedThreadPool(new DefaultThreadFactory("entroq-work-session", true));
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final AtomicInteger sessions = new AtomicInteger();
  private final CompletableFuture<Void> draining = new CompletableFuture<>();
  private final Channel listener;
  private volatile boolean isQueueClosed;

  private WorkGatewayServer(EntroQ queue, WorkGatewayConfig config) throws IOException {
    this.queue = queue;
    this.config = config;
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    initialize(channel);
                  }
                })
            .bind(config.address())
            .awaitUninterruptibly();
    listener = bound.channel();
    if (!bound.isSuccess()) {
      var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new IOException(
          "cannot listen on %s: %s"
              .formatted(
                  NetUtil.toSocketAddressString(config.address()), bound.cause().getMessage()),
          bound.cause());
    }
  }

  /**
   * Starts to listen.
   *
   * @throws IOException if it cannot listen at the address
   */
  public static WorkGatewayServer start(EntroQ queue, WorkGatewayConfig config) throws IOException {
    return new WorkGatewayServer(queue, config);
  }

  private void initialize(SocketChannel channel) {
    if (channels.size() >= config.connectionsMax() + EXTRA_CONNECTIONS || !channels.add(channel)) {
      var unused = channel.close();
      return;
    }
    // Where the system has these options; elsewhere it has its own times.
    channel
        .config()
        .setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), KEEPALIVE_IDLE_SECONDS);
    channel
        .config()
        .setOption(
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
            KEEPALIVE_INTERVAL_SECONDS);
    channel
        .config()
        .setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), KEEPALIVE_PROBES);
    channel
        .pipeline()
        .addLast(new HttpServerCodec(LINE_BYTES_MAX, HEADER_BYTES_MAX, CHUNK_BYTES_MAX))
        .addLast(new HttpObjectAggregator(BODY_BYTES_MAX))
        .addLast(new WorkHandshake(this, config));
  }

  /** Where programs connect. */
  public String url() {
    int port = ((InetSocketAddress) listener.localAddress()).getPort();
    InetSocketAddress address = new InetSocketAddress(config.address().getAddress(), port);
    return "ws://" + NetUtil.toSocketAddressString(address) + WorkHandshake.PATH;
  }

  /** How many connections there are, with those that are not programs'. */
  int openConnections() {
    return channels.size();
  }

  /** Whether programs can connect and work: neither it nor the EntroQ is closed. */
  public boolean isRunning() {
    return listener.isOpen() && !isQueueClosed;
  }

  EntroQ queue() {
    return queue;
  }

  /** Completed when sessions have to finish their tasks and end. */
  CompletableFuture<Void> draining() {
    return draining;
  }

  /** Makes room for a session, if it may begin; {@link #run} or {@link #leave} follows. */
  Admission admit() {
    if (draining.isDone()) {
      return Admission.DRAINING;
    }
    if (sessions.incrementAndGet() > config.connectionsMax()) {
      leave();
      return Admission.FULL;
    }
    return Admission.ADMITTED;
  }

  void leave() {
    sessions.decrementAndGet();
  }

  void run(WebSocketSession session) {
    try {
      threads.execute(
          () -> {
            try {
              session.run();
            } finally {
              leave();
            }
          });
    } catch (RejectedExecutionException e) {
      // It has been closed just now.
      leave();
      session.close(WorkGateway.End.OK, Admission.DRAINING.why());
    } catch (Throwable e) {
      // The system has no more threads.
      leave();
      session.close(WorkGateway.End.TRANSIENT, "the work gateway has no thread for it");
      LOGGER.log(System.Logger.Level.WARNING, "a session has no thread", e);
    }
  }

  void sessionEnded(WorkGateway.End end) {
    if (end == WorkGateway.End.GATEWAY) {
      isQueueClosed = true;
    }
  }

  /**
   * Accepts no more programs, and waits up to 30 seconds until the others have finished their
   * tasks. The tasks of those that have not are released. An interrupt of the caller ends the wait
   * and stays pending.
   */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    draining.complete(null);
    var unused = channels.close(channel -> channel.pipeline().get(WebSocketSession.class) == null);
    threads.shutdown();
    try {
      if (threads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        channels.newCloseFuture().await(DISCONNECT_SECONDS_MAX, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    channels.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
