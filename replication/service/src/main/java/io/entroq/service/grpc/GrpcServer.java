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
 * <p>It does not own the engine: close the server first, then the engine.
 */
public final class GrpcServer implements AutoCloseable {
  /**
   * A silent connection is pinged after this time: claims wait on it whose caller may have
   * vanished.
   */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

  /** A connection without a byte for this long, ping answers included, is dead. */
  private static final Duration DEAD_AFTER = SILENCE_MAX.plus(ANSWER_MAX).plusSeconds(5);

  /** How often clients may ping, even without calls. */
  private static final Duration ASKING_MIN = Duration.ofSeconds(10);

  /**
   * A backstop behind {@link FrameLimiter}, which is stricter: how many calls of a connection may
   * be reset in a window, unless it may have more calls at a time.
   */
  private static final int RESETS_MIN = 1_000;

  private static final int RESETS_WINDOW_S = 10;

  private static final int READ_BYTES_MIN = 64;
  private static final int READ_BYTES_FIRST = 2 << 10;
  private static final int READ_BYTES_MAX = 32 << 10;

  /**
   * These log a stack trace for each oversized request, each response to a closed connection, and
   * each invalid connection: clients could fill a disk with them.
   */
  private static final List<Logger> OF_CLIENTS =
      List.of(
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerStream"),
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler"),
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerTransport.connections"));

  static {
    OF_CLIENTS.forEach(logger -> logger.setLevel(Level.SEVERE));
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
            .withChildOption(ChannelOption.RECVBUF_ALLOCATOR, turns())
            // Nothing blocks, so calls need no threads besides the event loops.
            .directExecutor()
            .maxInboundMessageSize(config.messageBytesMax())
            .maxInboundMetadataSize(bounds.headerBytesMax())
            .maxConcurrentCallsPerConnection(bounds.connectionCallsMax())
            .maxRstFramesPerWindow(
                Math.max(RESETS_MIN, bounds.connectionCallsMax()), RESETS_WINDOW_S)
            .addTransportFilter(new GrpcOrigins(addresses))
            .addStreamTracerFactory(calls)
            .intercept(calls)
            .keepAliveTime(SILENCE_MAX.toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTimeout(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(ASKING_MIN.toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(ServerInterceptors.intercept(health.getHealthService(), watches))
            .addService(ProtoReflectionServiceV1.newInstance())
            .addService(GrpcAdmin.define(admin, readers));
    for (Facade facade : Facade.values()) {
      Service service =
          before.apply(new QueueService(facade, gateway, blocked, config.messageBytesMax()));
      builder.addService(GrpcMethods.of(service, readers));
      if (facade == Facade.V1) {
        builder.addService(new GrpcStreams(service, gateway, streams, readers, config).define());
      }
    }
    server = builder.build();
    readers.start(loops.clock());
  }

  /** How much is read from a connection before others get their turn. */
  private static RecvByteBufAllocator turns() {
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
   * @throws IOException if the port cannot be had
   */
  public static GrpcServer start(Gateway gateway, GrpcServerConfig config) throws IOException {
    return start(gateway, config, UnaryOperator.identity());
  }

  /**
   * Starts a server, without methods for operators.
   *
   * @param before puts filters in front of each API's service
   * @throws IOException if the port cannot be had
   */
  public static GrpcServer start(
      Gateway gateway, GrpcServerConfig config, UnaryOperator<Service> before) throws IOException {
    return start(gateway, config, before, new NoMemberAdmin());
  }

  /**
   * Starts a server.
   *
   * @throws IOException if the port cannot be had
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

  /** Sets what health checks answer. Ready, until this says otherwise. */
  public void tellReady(boolean isReady) {
    health.setStatus(
        HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
        isReady ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  /** The port it listens on. */
  public int port() {
    return server.getPort();
  }

  /** The open connections. */
  public int connections() {
    return connections.count();
  }

  /** The connections that were closed because they flooded the server. */
  public long floods() {
    return floods.count();
  }

  /** The open calls. */
  public int calls() {
    return calls.calls();
  }

  /** The bytes of requests that have not arrived as a whole. */
  public long incomingBytes() {
    return calls.bytes();
  }

  /** The responses that were cut because nobody read them. */
  public long cutAnswers() {
    return readers.cut();
  }

  /** The claims that wait for a task. */
  public int blockedClaims() {
    return blocked.count();
  }

  /** The open request streams. */
  public int openStreams() {
    return streams.count();
  }

  /**
   * Stops without an error for callers that end in time: accepts no new connections, tells waiting
   * claims to ask again, and lets everything else finish.
   *
   * @param patience after which connections are closed
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
    await(ANSWER_MAX);
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
