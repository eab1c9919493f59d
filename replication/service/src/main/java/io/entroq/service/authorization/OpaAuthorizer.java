package io.entroq.service.authorization;

import io.entroq.service.limit.CallGate;
import io.entroq.service.limit.Limit;
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
 * Asks Open Policy Agent over HTTP/1.1 with persistent connections. Its own threads read the
 * answers and continue the calls that were allowed.
 */
final class OpaAuthorizer implements Authorizer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpaAuthorizer.class);
  private static final int THREADS = 2;

  /** Far more than the details of an error need. */
  private static final int ANSWER_BYTES_MAX = 1 << 20;

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
          Decision.unknown("the authorization cannot be passed on"));
    }
    // The HTTP client's own timeout ends when the answer starts; this one when it is complete.
    CompletableFuture<Decision> answer =
        new CompletableFuture<Decision>()
            .completeOnTimeout(
                Decision.unknown("no answer within " + config.timeout().toMillis() + " ms"),
                config.timeout().toMillis(),
                TimeUnit.MILLISECONDS);
    return gate.enter(query.origin(), () -> begin(request, answer))
        ? answer
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

  private boolean begin(HttpRequest request, CompletableFuture<Decision> answer) {
    if (answer.isDone()) {
      return false;
    }
    send(request, answer, true);
    return true;
  }

  private void send(HttpRequest request, CompletableFuture<Decision> answer, boolean mayRepeat) {
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(request, response -> new LimitedBody(ANSWER_BYTES_MAX));
    CompletableFuture<?> unusedAnswer =
        sent.whenComplete(
            (response, failure) -> {
              if (mayRepeat && !answer.isDone() && isOfConnection(failure)) {
                // Most likely a persistent connection that the agent had just closed.
                send(request, answer, false);
              } else {
                gate.leave();
                answer.complete(
                    failure == null ? decision(response) : Decision.unknown(reason(failure)));
              }
            });
    CompletableFuture<?> unusedEnd = answer.whenComplete((decision, failure) -> sent.cancel(true));
  }

  private static boolean isOfConnection(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof IOException && !(cause instanceof ConnectException);
  }

  private static Decision decision(HttpResponse<byte[]> response) {
    try {
      return OpaOutput.read(response.body());
    } catch (IOException e) {
      LOG.debug("The answer of the authorizer cannot be read.", e);
      return Decision.unknown(
          "an answer with status %d that cannot be read".formatted(response.statusCode()));
    }
  }

  /** Does not tell callers where the agent is. */
  private static String reason(Throwable failure) {
    LOG.debug("The authorizer does not answer.", failure);
    return cause(failure) instanceof ConnectException
        ? "it cannot be reached"
        : "it does not answer: " + cause(failure).getMessage();
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  /** Stops the threads; running calls are denied in time. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
