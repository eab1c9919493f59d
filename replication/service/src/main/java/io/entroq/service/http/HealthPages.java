package io.entroq.service.http;

import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The health pages: 200, or 503 with a reason.
 *
 * <p>The server is live if the engine answers Time, which takes the same path as every request. It
 * is ready if it also accepts callers. A {@link Health}, if present, is checked first.
 */
final class HealthPages {
  /** How long the engine may take to answer. */
  private static final long ANSWER_SECONDS_MAX = 5;

  private static final String OK = "ok";

  private final Service service;
  private final HttpConnections connections;
  private final Optional<Health> health;

  HealthPages(Service service, HttpConnections connections, Optional<Health> health) {
    this.service = service;
    this.connections = connections;
    this.health = health;
  }

  /** The pages by path. */
  Map<String, PageSource> pages() {
    return Map.of(
        "/healthz", context -> ready(),
        "/healthz/ready", context -> ready(),
        "/healthz/live", context -> live(),
        // Any response shows that the server has started.
        "/healthz/started", PageSource.of(page(OK)));
  }

  private CompletionStage<ApiResponse> ready() {
    Optional<String> problem =
        connections.isDraining()
            ? Optional.of("the server is about to end")
            : health.flatMap(Health::unreadyBecause);
    return problem.map(HealthPages::completed).orElseGet(this::askEngine);
  }

  private CompletionStage<ApiResponse> live() {
    return health.isPresent() ? completed(health.get().deadBecause().orElse(OK)) : askEngine();
  }

  private static CompletionStage<ApiResponse> completed(String problem) {
    return CompletableFuture.completedFuture(page(problem));
  }

  private CompletionStage<ApiResponse> askEngine() {
    TimeReply reply = new TimeReply();
    service.handle(
        Method.TIME,
        CallContext.of(HttpConnection.TRANSPORT),
        TimeRequest.getDefaultInstance(),
        reply);
    return reply
        .problem
        .completeOnTimeout(
            "the engine has not responded in " + ANSWER_SECONDS_MAX + " s",
            ANSWER_SECONDS_MAX,
            TimeUnit.SECONDS)
        .thenApply(HealthPages::page);
  }

  private static ApiResponse page(String problem) {
    return ApiResponse.text(problem.equals(OK) ? 200 : 503, problem);
  }

  /** Completes with {@link #OK}, or with a reason. */
  private static final class TimeReply implements Reply<TimeResponse> {
    private final CompletableFuture<String> problem = new CompletableFuture<>();

    @Override
    public void position(long position) {
      // Only whether there is a response matters.
    }

    @Override
    public void send(TimeResponse response) {
      problem.complete(OK);
    }

    @Override
    public void fail(Refusal refusal) {
      // An overloaded server is alive.
      problem.complete(refusal.code() == Status.Code.RESOURCE_EXHAUSTED ? OK : refusal.message());
    }
  }
}
