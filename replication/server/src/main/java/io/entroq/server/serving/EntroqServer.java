package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.console.Console;
import io.entroq.console.ConsoleParts;
import io.entroq.console.web.PageUrls;
import io.entroq.engine.Closing;
import io.entroq.engine.gateway.View;
import io.entroq.server.settings.CompatibilitySettings;
import io.entroq.server.settings.ConsoleSettings;
import io.entroq.server.settings.LimitSettings;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.service.admission.Admission;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Service;
import io.entroq.service.collector.Collector;
import io.entroq.service.feed.Feeds;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.http.HttpTls;
import io.entroq.service.http.PageSource;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.http.protocol.StatusCodes;
import io.entroq.service.insight.Insight;
import io.entroq.service.insight.InsightConfig;
import io.entroq.service.metrics.Metrics;
import io.entroq.service.metrics.MetricsConfig;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.ClampedLeases;
import io.entroq.service.queue.FirstRequests;
import io.entroq.service.queue.LeaseFilter;
import io.entroq.service.queue.QueueService;
import io.entroq.service.redrive.RedriveService;
import io.entroq.service.redrive.Redrives;
import io.entroq.service.tls.ServerTls;
import io.entroq.service.tracing.Tracing;
import io.entroq.service.tracing.TracingConfig;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.validation.ValidatedService;
import io.entroq.service.view.ViewService;
import io.entroq.tools.terminal.CommandException;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A running server: a backend and everything that serves it. The backend starts first and stops
 * last. Any thread.
 */
public final class EntroqServer implements AutoCloseable {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int TOO_LARGE = 413;

  /** Where EntroQ's Kubernetes operator puts its policy. */
  private static final String MESH_PATH = "/v1/data/mesh";

  private final Settings settings;
  private final ServerLimits limits;
  private final AccessControl accessControl;
  private final CloseStack resources = new CloseStack();
  private final Backend backend;
  private final Optional<ServerTls> tls;
  private final Metrics metrics;
  private final Tracing tracing;
  private final FirstRequests firstRequests = new FirstRequests();
  private final ClampedLeases clampedLeases = new ClampedLeases();
  private final Redrives redrives = new Redrives();

  /** Empty if the backend has no feed. */
  private final Feeds feeds;

  /** Empty unless somebody wants to know. */
  private final Optional<Insight> insight;

  private final Admission admission;
  private final Authorization authorization;
  private final GrpcServer grpc;
  private final ConsoleFactory consoleFactory;

  /** Empty if it is off. */
  private final Optional<Console> console;

  private final HttpServer http;
  private volatile boolean isCut;

  private EntroqServer(
      Settings settings, Function<Settings, Backend> openBackend, boolean warmsUp) {
    this.settings = settings;
    limits = new ServerLimits(settings);
    accessControl = new AccessControl(settings);
    consoleFactory = new ConsoleFactory(settings);
    try {
      // Opening the log may take long, so report configuration errors first.
      tls = accessControl.tls();
      tls.ifPresent(resources::add);
      authorization = resources.add(accessControl.authorization());
      backend = resources.add(openBackend.apply(settings));
      // Now: the backend reports its errors first, and nobody can connect yet.
      if (warmsUp) {
        WarmUp.run(settings.get(ListeningSettings.WARM_UP), backend.isLogged());
      }
      metrics =
          resources.add(
              new Metrics(
                  new MetricsConfig(
                      settings.get(LimitSettings.METRICS_QUEUES_MAX),
                      MetricsConfig.DEFAULT.queuesMaxAge()),
                  backend.gateway()));
      backend.measure(metrics);
      tracing = resources.add(Tracing.of(TracingConfig.of(System.getenv())));
      admission = resources.add(new Admission(limits.admission()));
      feeds = resources.add(new Feeds(backend.feed(), backend.gateway()::logId));
      insight = startInsight();
      insight.ifPresent(resources::add);
      insight.ifPresent(metrics::insight);
      grpc = resources.add(startGrpc());
      backend
          .health()
          .ifPresent(health -> resources.add(ReadinessMonitor.start(health, grpc::tellReady)));
      console = consoleFactory.console(consoleParts());
      console.ifPresent(resources::add);
      http = resources.add(startHttp());
      if (settings.get(CompatibilitySettings.GC)) {
        Collector collector =
            resources.add(Collector.start(backend.gateway(), backend.queue(), backend::isInCharge));
        metrics.collector(collector::stats);
      }
      metrics.feed(backend.feed()::stats);
      backend.views().ifPresent(views -> metrics.views(views::stats));
      metrics.clampedLeases(clampedLeases);
      metrics.waitingClaims(admission::claimsUnderWay);
      metrics.floodingConnections(grpc::floods);
    } catch (Throwable t) {
      Closing.after(t, resources);
      throw t;
    }
  }

  /**
   * Starts a server with its own engine, cold. If any part fails to start, all others are closed.
   *
   * @throws CommandException if a part cannot start; the message says which, and why
   * @throws io.entroq.engine.log.LogException if the log cannot be opened
   */
  public static EntroqServer start(Settings settings) {
    return new EntroqServer(settings, EngineBackend::open, false);
  }

  /** As {@link #start}, but warms up before it opens its ports. */
  public static EntroqServer startWarm(Settings settings) {
    return new EntroqServer(settings, EngineBackend::open, true);
  }

  /**
   * Starts a server with a cluster member, cold. If any part fails to start, all others are closed.
   * Returns before the member has found a leader.
   *
   * @throws CommandException if a part cannot start; the message says which, and why
   * @throws io.entroq.engine.log.LogException if another process uses the member's directory
   */
  public static EntroqServer startNode(Settings settings) {
    return new EntroqServer(settings, MemberBackend::start, false);
  }

  /** As {@link #startNode}, but warms up before it opens its ports. */
  public static EntroqServer startWarmNode(Settings settings) {
    return new EntroqServer(settings, MemberBackend::start, true);
  }

  private Optional<Insight> startInsight() {
    return settings.get(LimitSettings.RATES) || settings.get(ConsoleSettings.CONSOLE)
        ? Optional.of(
            Insight.start(
                backend.gateway(),
                backend.feed(),
                backend::figures,
                InsightConfig.ofHeap(Runtime.getRuntime().maxMemory())))
        : Optional.empty();
  }

  /** Wraps the service in filters, for clients. */
  private Service addFilters(Service service) {
    return addFilters(service, authorization::guard);
  }

  /**
   * Wraps the service in filters; the last one applied is the outermost.
   *
   * @param guard decides who may do what
   */
  private Service addFilters(Service service, UnaryOperator<Service> guard) {
    Service told = feeds.before(service);
    Service present = insight.map(known -> known.before(told)).orElse(told);
    Service complete =
        new ViewService(present, backend.views(), view -> past(service.facade(), view), keepMore());
    Service bounded =
        LeaseFilter.before(admission.before(guard.apply(complete)), limits.leases(), clampedLeases);
    // Outside of admission and authorization, so that malformed requests get the same answer at
    // all times, and inside of what counts requests and what remembers a client's first one.
    Service checked = new ValidatedService(new RedriveService(bounded, redrives));
    return tracing.trace(metrics.measure(firstRequests.before(checked, service)));
  }

  /** What answers as of a view. */
  private Service past(Facade facade, View view) {
    Service told =
        feeds.before(
            new QueueService(
                facade, view.gateway(), new BlockedClaims(), limits.messageBytesMax()));
    return insight.map(known -> known.before(told, view)).orElse(told);
  }

  /** How to keep more of the past; empty if that is done. */
  private Optional<String> keepMore() {
    return limits.history().isOn()
        ? Optional.empty()
        : Optional.of(
            "This server keeps no more than a restart needs; with %s it keeps more"
                .formatted(settings.nameOf(StoreSettings.HISTORY)));
  }

  /** The console does what its users may, through all that stands before the service. */
  private ConsoleParts consoleParts() {
    Service service =
        new QueueService(
            Facade.V1, backend.gateway(), new BlockedClaims(), limits.messageBytesMax());
    return new ConsoleParts(
        addFilters(service, authorization::guardIdentified),
        authorization.guardIdentified(backend.admin()),
        backend.description());
  }

  private GrpcServer startGrpc() {
    int port = settings.get(ListeningSettings.PORT);
    try {
      return GrpcServer.start(
          backend.gateway(),
          new GrpcServerConfig(
              settings.find(ListeningSettings.HOST),
              port,
              limits.messageBytesMax(),
              limits.grpc(),
              tls),
          this::addFilters,
          authorization.guard(backend.admin()));
    } catch (IOException e) {
      throw cannotListen("gRPC", port, e);
    }
  }

  private HttpServer startHttp() {
    int port = settings.get(ListeningSettings.HTTP_PORT);
    HttpServerConfig.Builder config =
        HttpServerConfig.builder(port)
            .messageBytesMax(limits.messageBytesMax())
            .headerBytesMax(limits.headerBytesMax())
            .callBytesMax(limits.shareBytes())
            .connectionsMax(limits.connectionsMax())
            .idleMax(settings.get(LimitSettings.HTTP_IDLE_MAX))
            .stallMax(limits.stallMax())
            .claimHeartbeat(settings.get(ListeningSettings.HTTP_CLAIM_HEARTBEAT));
    settings.find(ListeningSettings.HOST).ifPresent(config::host);
    backend.health().ifPresent(config::health);
    tls.ifPresent(
        files -> config.tls(new HttpTls(files.keys(), files.clients().map(clients -> clients))));
    console.ifPresent(pages -> config.site(PageUrls.ROOT, pages.site()));
    if (accessControl.isMesh()) {
      config.upload(MESH_PATH, this::replaceMesh);
    }
    Map<String, PageSource> pages = Map.of("/metrics", this::metricsPage);
    try {
      return HttpServer.start(backend.gateway(), config.build(), this::addFilters, pages);
    } catch (IOException e) {
      throw cannotListen("HTTP", port, e);
    }
  }

  /** Only callers that may read all queues see their names. */
  private CompletionStage<ApiResponse> metricsPage(CallContext context) {
    return authorization
        .mayReadAll(context)
        .thenCompose(showsQueues -> showsQueues ? metrics.page() : metrics.pageWithoutQueues())
        .thenApply(text -> ApiResponse.of(OK, Metrics.CONTENT_TYPE, text));
  }

  /** Answers as EntroQ's server does, on whose codes its operator relies. */
  private CompletionStage<ApiResponse> replaceMesh(CallContext context, byte[] document) {
    return authorization
        .replaceMesh(context, document)
        .thenApply(
            refusal ->
                refusal
                    .map(EntroqServer::meshRefusal)
                    .orElseGet(() -> ApiResponse.of(NO_CONTENT, ApiResponse.TEXT, "")));
  }

  private static ApiResponse meshRefusal(Refusal refusal) {
    int status =
        refusal.code() == Status.Code.RESOURCE_EXHAUSTED
            ? TOO_LARGE
            : StatusCodes.status(refusal.code());
    return ApiResponse.text(status, refusal.message());
  }

  private static CommandException cannotListen(String what, int port, IOException e) {
    Throwable why = e.getCause() == null ? e : e.getCause();
    return new CommandException(
        "cannot listen on port %d for %s: %s. Choose another with --port or --http-port"
            .formatted(port, what, why.getMessage()),
        e);
  }

  /** The gRPC port. */
  public int port() {
    return grpc.port();
  }

  /** The HTTP port. */
  public int httpPort() {
    return http.port();
  }

  /** Where the console is, in a line for people. */
  public String console() {
    return consoleFactory.description(httpPort());
  }

  /** Where the data is and what a reply guarantees, for people. */
  public String store() {
    return backend.description();
  }

  /** The status of the backend, as a predicate: "leads, term 3". */
  public String status() {
    return backend.status();
  }

  /** Describes TLS, authentication and authorization, for people. */
  public String access() {
    String encryption =
        tls.map(files -> files.clients().isPresent() ? "mutual TLS" : "TLS").orElse("no TLS");
    return encryption + ", " + accessControl.description();
  }

  /**
   * Returns normally if the backend accepts requests now or will soon.
   *
   * @throws EntroQException.Closed if it has failed; the message says why
   * @throws CommandException for the same reason
   */
  public void requireOpen() {
    backend.requireOpen();
  }

  /** Whether the backend has stopped as an operator has asked for. */
  public boolean hasStopped() {
    return backend.hasStopped();
  }

  /**
   * Shuts down gracefully: accepts no more connections, tells waiting claims to retry and feeds to
   * go on elsewhere, and lets running requests finish.
   *
   * @param patience how long running requests may take before their connections are closed
   * @return whether all requests finished within that time and without {@link #cut}
   */
  public boolean drain(Duration patience) {
    feeds.end();
    // HTTP and gRPC drain concurrently.
    CompletableFuture<Boolean> httpDrain =
        CompletableFuture.supplyAsync(() -> http.drain(patience), EntroqServer::runOnThread);
    boolean grpcFinished = grpc.drain(patience);
    return httpDrain.join() && grpcFinished && !isCut;
  }

  private static void runOnThread(Runnable work) {
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
    resources.close();
  }
}
