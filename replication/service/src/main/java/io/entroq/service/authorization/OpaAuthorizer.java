package io.entroq.service.authorization;

import io.entroq.service.limit.CallGate;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.LimitedBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Open Policy Agent over persistent HTTP/1.1 connections. Its own threads read the responses
 * and run the allowed calls.
 */
final class OpaAuthorizer implements Authorizer {
  private static final Logger LOG = LoggerFactory.getLogger(OpaAuthorizer.class);
  private static final int THREADS = 2;
  private static final int OK = 200;

  /** Far more than error details need. */
  private static final int RESPONSE_BYTES_MAX = 1 << 20;

  private final AuthorizationConfig config;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, OpaAuthorizer::thread);
  private final CallGate gate =
      new CallGate(
          Limit.AUTHORIZATIONS.standard(),
          Limit.QUEUED_AUTHORIZATIONS,
          Limit.QUEUED_AUTHORIZATIONS.standard());
  private final HttpClient client;

  OpaAuthorizer(AuthorizationConfig config) {
    this.config = config;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(config.timeout())
            .executor(threads)
            .build();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-authz");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public CompletableFuture<Decision> ask(AuthorizationQuery query) {
    HttpRequest request;
    try {
      request = request(query);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedFuture(
          Decision.undecided("the Authorization header cannot be sent to the authorizer"));
    }
    // The HTTP client's own timeout covers only the time until the response starts.
    CompletableFuture<Decision> decision =
        new CompletableFuture<Decision>()
            .completeOnTimeout(
                Decision.unavailable(
                    "the authorizer has not responded within "
                        + config.timeout().toMillis()
                        + " ms"),
                config.timeout().toMillis(),
                TimeUnit.MILLISECONDS);
    return gate.enter(query.origin(), () -> begin(request, decision))
        ? decision
        : CompletableFuture.completedFuture(Decision.busy());
  }

  private HttpRequest request(AuthorizationQuery query) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(config.policy())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(OpaInput.of(query)));
    if (config.sendsHeader() && !query.authorization().isEmpty()) {
      request.header("Authorization", query.authorization());
    }
    return request.build();
  }

  private boolean begin(HttpRequest request, CompletableFuture<Decision> decision) {
    if (decision.isDone()) {
      return false;
    }
    send(request, decision, true);
    return true;
  }

  private void send(HttpRequest request, CompletableFuture<Decision> decision, boolean mayRetry) {
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(request, response -> new LimitedBody(RESPONSE_BYTES_MAX));
    CompletableFuture<?> unusedResponse =
        sent.whenComplete(
            (response, failure) -> {
              if (mayRetry && !decision.isDone() && isConnectionLost(failure)) {
                // Most likely OPA had just closed this persistent connection.
                send(request, decision, false);
              } else {
                gate.leave();
                decision.complete(
                    failure == null ? decision(response) : Decision.unavailable(reason(failure)));
              }
            });
    CompletableFuture<?> unusedEnd = decision.whenComplete((decided, failure) -> sent.cancel(true));
  }

  private static boolean isConnectionLost(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof IOException && !(cause instanceof ConnectException);
  }

  private static Decision decision(HttpResponse<byte[]> response) {
    if (response.statusCode() != OK) {
      return Decision.unavailable(
          "the authorizer answers with status %d".formatted(response.statusCode()));
    }
    try {
      return OpaOutput.read(response.body());
    } catch (IOException e) {
      LOG.debug("Cannot read the response of the authorizer.", e);
      return Decision.unavailable("the authorizer's response is unreadable");
    }
  }

  /** The reason for callers, without the address of the authorizer. */
  private static String reason(Throwable failure) {
    LOG.debug("The authorizer does not respond.", failure);
    return cause(failure) instanceof ConnectException
        ? "the authorizer cannot be reached"
        : "the authorizer does not respond: " + cause(failure).getMessage();
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  /** Stops the threads; pending decisions time out. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
