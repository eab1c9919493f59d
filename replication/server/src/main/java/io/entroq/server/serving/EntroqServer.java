package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.engine.Closing;
import io.entroq.server.settings.AuthorizationSettings;
import io.entroq.server.settings.AuthorizerName;
import io.entroq.server.settings.CompatibilitySettings;
import io.entroq.server.settings.LimitSettings;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.Settings;
import io.entroq.service.admission.Admission;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Service;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.http.HttpTls;
import io.entroq.service.http.PageSource;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.metrics.Metrics;
import io.entroq.service.metrics.MetricsConfig;
import io.entroq.service.queue.ArrivalTimeRemover;
import io.entroq.service.queue.FirstRequests;
import io.entroq.service.tls.ServerTls;
import io.entroq.service.tracing.Tracing;
import io.entroq.service.tracing.TracingConfig;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A running server: a backend and everything that serves it. Starts from the inside out and stops
 * from the outside in. Any thread.
 */
public final class EntroqServer implements AutoCloseable {
  private static final int OK = 200;

  private final Settings settings;
  private final ServerLimits bounds;
  private final CloseStack parts = new CloseStack();
  private final Backend backend;
  private final Optional<ServerTls> tls;
  private final Metrics metrics;
  private final Tracing tracing;
  private final FirstRequests firstRequests = new FirstRequests();
  private final Admission admission;
  private final Authorization authorization;
  private final GrpcServer grpc;
  private final HttpServer http;
  private volatile boolean isCut;

  private EntroqServer(Settings settings, Function<Settings, Backend> begin) {
    this.settings = settings;
    bounds = new ServerLimits(settings);
    try {
      AccessControl guards = new AccessControl(settings);
      // Before opening the log, which may take long: configuration errors show at once.
      tls = guards.tls();
      tls.ifPresent(parts::add);
      authorization = parts.add(guards.authorization());
      backend = parts.add(begin.apply(settings));
      metrics =
          parts.add(
              new Metrics(
                  new MetricsConfig(
                      settings.get(LimitSettings.METRICS_QUEUES_MAX),
                      MetricsConfig.DEFAULT.queuesMaxAge()),
                  backend.gateway()));
      backend.measure(metrics);
      tracing = parts.add(Tracing.of(TracingConfig.of(System.getenv())));
      admission = parts.add(new Admission(bounds.admission()));
      grpc = parts.add(startGrpc());
      backend
          .health()
          .ifPresent(health -> parts.add(ReadinessMonitor.start(health, grpc::tellReady)));
      http = parts.add(startHttp());
      metrics.waitingClaims(admission::claimsUnderWay);
      metrics.floodingConnections(grpc::floods);
    } catch (Throwable t) {
      Closing.after(t, parts);
      throw t;
    }
  }

  /**
   * Opens a queue of its own and serves it. If a part of it cannot begin, none stays.
   *
   * @throws CommandException if it cannot; the message says which part, and why
   * @throws io.entroq.engine.log.LogException if it is the log
   */
  public static EntroqServer start(Settings settings) {
    return new EntroqServer(settings, EngineBackend::open);
  }

  /**
   * Starts a member of a cluster and serves what is asked of it. If a part of it cannot begin, none
   * stays. Returns before the member has found a leader.
   *
   * @throws CommandException if it cannot; the message says which part, and why
   * @throws io.entroq.engine.log.LogException if another process has the member's directory
   */
  public static EntroqServer startNode(Settings settings) {
    return new EntroqServer(settings, MemberBackend::start);
  }

  /** Puts the filters before the service; the last one applied is the outermost. */
  private Service before(Service service) {
    Service compared =
        settings.get(CompatibilitySettings.DROP_ARRIVAL_TIMES)
            ? new ArrivalTimeRemover(service)
            : service;
    Service admitted = admission.before(authorization.guard(compared));
    return tracing.trace(metrics.measure(firstRequests.before(admitted, compared)));
  }

  private GrpcServer startGrpc() {
    int port = settings.get(ListeningSettings.PORT);
    try {
      return GrpcServer.start(
          backend.gateway(),
          new GrpcServerConfig(
              settings.find(ListeningSettings.HOST),
              port,
              bounds.messageBytesMax(),
              bounds.grpc(),
              tls),
          this::before,
          authorization.guard(backend.admin()));
    } catch (IOException e) {
      throw cannotListen("gRPC", port, e);
    }
  }

  private HttpServer startHttp() {
    int port = settings.get(ListeningSettings.HTTP_PORT);
    HttpServerConfig.Builder config =
        HttpServerConfig.builder(port)
            .messageBytesMax(bounds.messageBytesMax())
            .headerBytesMax(bounds.headerBytesMax())
            .callBytesMax(bounds.shareBytes())
            .connectionsMax(bounds.connectionsMax())
            .idleMax(settings.get(LimitSettings.HTTP_IDLE_MAX))
            .stallMax(bounds.stallMax())
            .claimWait(settings.get(CompatibilitySettings.HTTP_CLAIM_WAIT))
            .flatErrors(settings.get(CompatibilitySettings.HTTP_FLAT_ERRORS));
    settings.find(ListeningSettings.HOST).ifPresent(config::host);
    backend.health().ifPresent(config::health);
    tls.ifPresent(
        files -> config.tls(new HttpTls(files.keys(), files.clients().map(clients -> clients))));
    Map<String, PageSource> pages = Map.of("/metrics", this::metricsPage);
    try {
      return HttpServer.start(backend.gateway(), config.build(), this::before, pages);
    } catch (IOException e) {
      throw cannotListen("HTTP", port, e);
    }
  }

  /** Names of queues are for those who may read all of them. */
  private CompletionStage<ApiResponse> metricsPage(CallContext context) {
    return authorization
        .mayReadAll(context)
        .thenCompose(showsQueues -> showsQueues ? metrics.page() : metrics.pageWithoutQueues())
        .thenApply(text -> ApiResponse.of(OK, Metrics.CONTENT_TYPE, text));
  }

  private static CommandException cannotListen(String what, int port, IOException e) {
    Throwable why = e.getCause() == null ? e : e.getCause();
    return new CommandException(
        "cannot listen on port %d for %s: %s. Choose another with --port or --http-port"
            .formatted(port, what, why.getMessage()),
        e);
  }

  /** The port of gRPC. */
  public int port() {
    return grpc.port();
  }

  /** The port of HTTP. */
  public int httpPort() {
    return http.port();
  }

  /** What is kept, where, and what an answer promises. */
  public String store() {
    return backend.description();
  }

  /** What it stands on is at, for people, in some words that follow its name. */
  public String status() {
    return backend.status();
  }

  /** Who can come, and may do what. */
  public String access() {
    String encryption =
        tls.map(files -> files.clients().isPresent() ? "mutual TLS" : "TLS").orElse("no TLS");
    String authorizer =
        settings.get(AuthorizationSettings.AUTHZ) == AuthorizerName.NONE
            ? "every caller may do everything"
            : "authorization by opahttp";
    return encryption + ", " + authorizer;
  }

  /**
   * Returns if what it stands on takes requests, now or in a while.
   *
   * @throws EntroQException.Closed if it has failed; the message says why
   * @throws CommandException for the same reason
   */
  public void requireOpen() {
    backend.requireOpen();
  }

  /**
   * Shuts down gracefully: accepts no more connections, tells waiting claims to retry, and lets
   * running requests finish.
   *
   * @param patience after which connections are closed
   * @return whether all requests finished within that time and without {@link #cut}
   */
  public boolean drain(Duration patience) {
    // Both drain at the same time.
    CompletableFuture<Boolean> overHttp =
        CompletableFuture.supplyAsync(() -> http.drain(patience), EntroqServer::onThread);
    boolean isFinished = grpc.drain(patience);
    return overHttp.join() && isFinished && !isCut;
  }

  private static void onThread(Runnable work) {
    new Thread(work, "entroq-drain").start();
  }

  /** Closes all connections; ends a running {@link #drain}. */
  public void cut() {
    isCut = true;
    http.close();
    grpc.close();
  }

  @Override
  public void close() {
    parts.close();
  }
}
