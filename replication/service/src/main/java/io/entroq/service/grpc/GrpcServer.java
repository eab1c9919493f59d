package io.entroq.service.grpc;

import io.entroq.engine.gateway.Gateway;
import io.entroq.service.admin.AdminService;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Origins;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.stream.OpenStreams;
import io.entroq.service.tls.ServerTls;
import io.entroq.service.translation.Facade;
import io.entroq.service.validation.ValidatedService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.RecvByteBufAllocator;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Serves both APIs of a queue on one port. Any thread.
 *
 * <p>The server does not own the engine. Close the server first, then the engine.
 */
public final class GrpcServer implements AutoCloseable {
  /**
   * A silent connection is pinged after this time: the callers of its waiting claims may be gone.
   */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  private static final Duration PING_REPLY_MAX = Duration.ofSeconds(20);

  /** A connection that sends nothing for this long, not even a ping reply, is dead. */
  private static final Duration DEAD_AFTER = SILENCE_MAX.plus(PING_REPLY_MAX).plusSeconds(5);

  /**
   * How often clients may ping, even without calls. EntroQ's ping every 30 s while a claim waits,
   * and no client pings more often than every 10 s, give or take.
   */
  private static final Duration CLIENT_PING_MIN = Duration.ofSeconds(5);

  /**
   * How many resets a connection may have in a second, by both sides, unless twice its calls are
   * more. {@link FrameLimiter} is much stricter with young calls.
   */
  private static final int RESETS_MIN = 1_000;

  private static final int RESETS_WINDOW_S = 1;

  private static final int READ_BYTES_MIN = 64;
  private static final int READ_BYTES_FIRST = 2 << 10;
  private static final int READ_BYTES_MAX = 32 << 10;

  /**
   * Clients could fill a disk with these: they log a stack trace for each oversized request, each
   * response to a closed connection, and each invalid connection.
   */
  private static final List<Logger> NOISY_LOGGERS =
      List.of(
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerStream"),
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler"),
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerTransport.connections"));

  static {
    NOISY_LOGGERS.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  private final BlockedClaims blocked = new BlockedClaims();
  private final OpenStreams streams = new OpenStreams();
  private final HealthStatusManager health = new HealthStatusManager();
  private final HealthWatches watches = new HealthWatches();
  private final EventLoops loops = new EventLoops();
  private final FloodTracker floods = new FloodTracker(System::nanoTime);
  private final ConnectionLimiter connections;
  private final CallLimiter calls;
  private final SlowReaders readers;
  private final Server server;

  private GrpcServer(
      Gateway gateway, GrpcServerConfig config, UnaryOperator<Service> before, AdminService admin) {
    GrpcLimits bounds = config.bounds();
    Origins addresses = new Origins();
    connections = new ConnectionLimiter(bounds.connectionsMax(), DEAD_AFTER, addresses, floods);
    calls = new CallLimiter(bounds.callsMax(), bounds.callBytesMax(), loops::afterwards);
    readers = new SlowReaders(bounds.stallMax());
    NettyServerBuilder builder =
        loops
            .lendTo(gateway)
            .serve(NettyServerBuilder.forAddress(address(config), credentials(config)), connections)
            .withChildOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
            // Nothing blocks, so calls need no threads besides the event loops.
            .directExecutor()
            .maxInboundMessageSize(config.messageBytesMax())
            .maxInboundMetadataSize(bounds.headerBytesMax())
            .maxConcurrentCallsPerConnection(bounds.connectionCallsMax())
            .maxRstFramesPerWindow(resetsMax(bounds), RESETS_WINDOW_S)
            .addTransportFilter(new GrpcOrigins(addresses))
            .addStreamTracerFactory(calls)
            .intercept(calls)
            // The last one is the first to see a call.
            .intercept(new ProtocolAnnouncer())
            .fallbackHandlerRegistry(new UnknownMethods())
            .keepAliveTime(SILENCE_MAX.toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTimeout(PING_REPLY_MAX.toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(CLIENT_PING_MIN.toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(ServerInterceptors.intercept(health.getHealthService(), watches))
            .addService(ProtoReflectionServiceV1.newInstance())
            .addService(GrpcAdmin.define(admin, readers));
    for (Facade facade : Facade.values()) {
      Service service =
          before.apply(new QueueService(facade, gateway, blocked, config.messageBytesMax()));
      builder.addService(GrpcMethods.of(service, readers));
      if (facade == Facade.V1) {
        builder.addService(GrpcMethods.queues(service, readers));
        builder.addService(GrpcMethods.feed(service, readers));
        builder.addService(GrpcMethods.insight(service, readers));
        builder.addService(new GrpcStreams(service, gateway, streams, readers, config).define());
      }
    }
    server = builder.build();
    readers.start(loops.clock());
  }

  private static int resetsMax(GrpcLimits bounds) {
    return (int)
        Math.min(Integer.MAX_VALUE, Math.max(RESETS_MIN, 2L * bounds.connectionCallsMax()));
  }

  /** How much is read from a connection before the next one. */
  private static RecvByteBufAllocator readSizes() {
    return new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX)
        .maxMessagesPerRead(1);
  }

  private static InetSocketAddress address(GrpcServerConfig config) {
    return config
        .host()
        .map(host -> new InetSocketAddress(host, config.port()))
        .orElseGet(() -> new InetSocketAddress(config.port()));
  }

  private static ServerCredentials credentials(GrpcServerConfig config) {
    return config.tls().map(GrpcServer::credentials).orElseGet(InsecureServerCredentials::create);
  }

  private static ServerCredentials credentials(ServerTls tls) {
    TlsServerCredentials.Builder credentials =
        TlsServerCredentials.newBuilder().keyManager(tls.keys());
    tls.clients()
        .ifPresent(
            clients ->
                credentials
                    .trustManager(clients)
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE));
    return credentials.build();
  }

  /**
   * Starts a server.
   *
   * @throws IOException if the port cannot be opened
   */
  public static GrpcServer start(Gateway gateway, GrpcServerConfig config) throws IOException {
    return start(gateway, config, ValidatedService::new);
  }

  /**
   * Starts a server, without methods for operators.
   *
   * @param before puts filters in front of each API's service, {@link ValidatedService} among them
   * @throws IOException if the port cannot be opened
   */
  public static GrpcServer start(
      Gateway gateway, GrpcServerConfig config, UnaryOperator<Service> before) throws IOException {
    return start(gateway, config, before, new NoMemberAdmin());
  }

  /**
   * Starts a server.
   *
   * @throws IOException if the port cannot be opened
   */
  public static GrpcServer start(
      Gateway gateway, GrpcServerConfig config, UnaryOperator<Service> before, AdminService admin)
      throws IOException {
    GrpcServer server = new GrpcServer(gateway, config, before, admin);
    boolean isStarted = false;
    try {
      server.server.start();
      isStarted = true;
    } finally {
      if (!isStarted) {
        server.loops.close();
      }
    }
    return server;
  }

  /** Sets the reply to health checks; initially ready. */
  public void tellReady(boolean isReady) {
    health.setStatus(
        HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
        isReady ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  public int port() {
    return server.getPort();
  }

  public int connections() {
    return connections.count();
  }

  /** The connections closed for flooding the server. */
  public long floods() {
    return floods.count();
  }

  public int calls() {
    return calls.calls();
  }

  /** The bytes of incomplete requests. */
  public long incomingBytes() {
    return calls.bytes();
  }

  /** The responses that were cut because nobody read them. */
  public long cutAnswers() {
    return readers.cut();
  }

  /** The claims waiting for a task. */
  public int blockedClaims() {
    return blocked.count();
  }

  public int openStreams() {
    return streams.count();
  }

  /**
   * Stops without errors for calls that finish in time: accepts no new connections, tells waiting
   * claims to retry, and lets everything else finish.
   *
   * @param patience after this, connections are closed
   * @return whether everything finished in time
   */
  public boolean drain(Duration patience) {
    health.enterTerminalState();
    server.shutdown();
    watches.end();
    blocked.end();
    streams.end();
    boolean isFinished = await(patience);
    if (!isFinished) {
      close();
    }
    return isFinished;
  }

  /** Closes all connections. */
  @Override
  public void close() {
    server.shutdownNow();
    await(PING_REPLY_MAX);
  }

  private boolean await(Duration patience) {
    try {
      boolean isEnded = server.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (isEnded) {
        loops.close();
      }
      return isEnded;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return server.isTerminated();
    }
  }
}
