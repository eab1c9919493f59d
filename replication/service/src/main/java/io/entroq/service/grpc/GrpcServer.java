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
   * A connection that says nothing for so long is asked whether it is there, since claims wait on
   * it whose caller may be gone without a word.
   */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

  /** After so long without a byte, an answer included, a connection has not just been slow. */
  private static final Duration DEAD_AFTER = SILENCE_MAX.plus(ANSWER_MAX).plusSeconds(5);

  /** Clients may ask as often, also while nothing is under way. */
  private static final Duration ASKING_MIN = Duration.ofSeconds(10);

  /**
   * Behind {@link FrameLimiter}, which counts closer: how many calls of a connection may be reset
   * in so many seconds, by either side, if it may not have more than that at a time.
   */
  private static final int RESETS_MIN = 1_000;

  private static final int RESETS_WINDOW_S = 10;

  private static final int READ_BYTES_MIN = 64;
  private static final int READ_BYTES_FIRST = 2 << 10;
  private static final int READ_BYTES_MAX = 32 << 10;

  /**
   * Tell of each request that is too long, of each answer that finds its connection cut, and of
   * each connection that is none, with a stack trace: clients could fill a disk by it.
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

  /** How much is read of a connection before others have their turn. */
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
   * Begins to serve.
   *
   * @throws IOException if the port cannot be had
   */
  public static GrpcServer start(Gateway gateway, GrpcServerConfig config) throws IOException {
    return start(gateway, config, UnaryOperator.identity());
  }

  /**
   * Begins to serve what stands before the services of an engine, and nothing to operators.
   *
   * @param before makes it
   * @throws IOException if the port cannot be had
   */
  public static GrpcServer start(
      Gateway gateway, GrpcServerConfig config, UnaryOperator<Service> before) throws IOException {
    return start(gateway, config, before, new NoMemberAdmin());
  }

  /**
   * The same, and something to operators.
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

  /** Tells whoever asks for its health whether to come; yes, until this says otherwise. */
  public void tellReady(boolean isReady) {
    health.setStatus(
        HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
        isReady ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  /** The port that it listens on. */
  public int port() {
    return server.getPort();
  }

  /** How many connections there are. */
  public int connections() {
    return connections.count();
  }

  /** How many connections were closed because they flooded the server. */
  public long floods() {
    return floods.count();
  }

  /** How many calls there are. */
  public int calls() {
    return calls.calls();
  }

  /** How many bytes are there of requests that are coming in. */
  public long incomingBytes() {
    return calls.bytes();
  }

  /** How many answers were cut, since nobody has read them. */
  public long cutAnswers() {
    return readers.cut();
  }

  /** How many claims wait for a task. */
  public int blockedClaims() {
    return blocked.count();
  }

  /** How many streams are open. */
  public int openStreams() {
    return streams.count();
  }

  /**
   * Ends without an error for anybody who keeps to time: nobody is let in any more, claims that
   * wait are told to ask again, and everything else may finish.
   *
   * @param patience after which connections are cut
   * @return whether all has finished within that time
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

  /** Cuts all connections. */
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
