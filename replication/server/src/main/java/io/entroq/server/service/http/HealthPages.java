package io.entroq.server.service.http;

import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.server.service.call.CallContext;
import io.entroq.server.service.call.Reply;
import io.entroq.server.service.call.Service;
import io.entroq.server.service.edge.Refusal;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * How a server is, for whoever starts, watches and replaces it: 200, or 503 with a reason.
 *
 * <p>It lives if the engine tells the time, which goes the way of every request; and is ready if it
 * also lets callers in.
 */
final class HealthPages {
  /** After which time an answer of the engine's is not waited for. */
  private static final long ANSWER_SECONDS_MAX = 5;

  private static final String OK = "ok";

  private final Service service;
  private final Connections connections;

  HealthPages(Service service, Connections connections) {
    this.service = service;
    this.connections = connections;
  }

  /** The pages, by their paths. */
  Map<String, PageSource> pages() {
    return Map.of(
        "/healthz", this::ready,
        "/healthz/ready", this::ready,
        "/healthz/live", this::live,
        // Whoever can ask this has got an answer.
        "/healthz/started", () -> CompletableFuture.completedFuture(page(OK)));
  }

  private CompletionStage<Page> ready() {
    return connections.isDraining()
        ? CompletableFuture.completedFuture(page("the server is about to end"))
        : live();
  }

  private CompletionStage<Page> live() {
    Answer answer = new Answer();
    service.time(CallContext.of(Connection.TRANSPORT), answer);
    return answer
        .problem
        .completeOnTimeout(
            "the engine has not answered in " + ANSWER_SECONDS_MAX + " s",
            ANSWER_SECONDS_MAX,
            TimeUnit.SECONDS)
        .thenApply(HealthPages::page);
  }

  private static Page page(String problem) {
    return new Page(problem.equals(OK) ? 200 : 503, Response.TEXT, problem + "\n");
  }

  /** Hears the time. */
  private static final class Answer implements Reply<TimeResponse> {
    private final CompletableFuture<String> problem = new CompletableFuture<>();

    @Override
    public void position(long position) {
      // What is asked is whether there is an answer.
    }

    @Override
    public void send(TimeResponse response) {
      problem.complete(OK);
    }

    @Override
    public void fail(Refusal refusal) {
      // Whoever has too much to do is alive.
      problem.complete(refusal.code() == Status.Code.RESOURCE_EXHAUSTED ? OK : refusal.message());
    }
  }
}
