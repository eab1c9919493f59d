package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An agent asked over HTTP, and everything that can go wrong with it. */
class OpaAuthorizerTest {
  private static final AuthorizationQuery QUESTION =
      new AuthorizationQuery(
          Optional.empty(),
          "Bearer tok",
          "bob#1",
          List.of(Permission.of(Action.INSERT, "ok")),
          List.of(),
          Origin.NONE);
  private static final ObjectNode YES = JsonNodeFactory.instance.objectNode().put("allow", true);

  private static final String SILENT = "the authorizer has not responded within 100 ms";

  private final FakeOpa opa = new FakeOpa(input -> YES);
  private final List<OpaAuthorizer> askers = new ArrayList<>();

  @AfterEach
  void close() {
    askers.forEach(OpaAuthorizer::close);
    opa.close();
  }

  @Test
  void shouldAskWithTheHeaderOfTheCaller() {
    assertThat(authorizer(opa.url(), true).ask(QUESTION).join()).isEqualTo(Decision.ALLOWED);
    assertThat(opa.last().path()).isEqualTo("POST /v1/data/entroq/authz");
    assertThat(opa.last().contentType()).isEqualTo("application/json");
    assertThat(opa.last().authorization()).isEqualTo("Bearer tok");
    assertThat(opa.last().body().toString())
        .isEqualTo(new String(OpaInput.of(QUESTION), StandardCharsets.UTF_8));
  }

  @Test
  void shouldNotSendTheHeaderIfThatIsSwitchedOff() {
    assertThat(authorizer(opa.url() + "/", false).ask(QUESTION).join()).isEqualTo(Decision.ALLOWED);
    assertThat(opa.last().path()).isEqualTo("POST /v1/data/entroq/authz");
    assertThat(opa.last().authorization()).isNull();
  }

  @Test
  void shouldBeUnavailableOnInvalidResponses() {
    OpaAuthorizer authorizer = authorizer(opa.url(), true);
    opa.answerBy((call, input) -> FakeOpa.send(call, 200, "not json"));
    assertUnavailable(authorizer, "the authorizer's response is unreadable");
    opa.answerBy((call, input) -> FakeOpa.send(call, 200, ""));
    assertUnavailable(authorizer, "the authorizer's response is unreadable");
    opa.answerBy((call, input) -> FakeOpa.send(call, 200, " ".repeat(2 << 20)));
    assertUnavailable(
        authorizer, "the authorizer does not respond: a response of more than 1,048,576 bytes");
    opa.answerBy((call, input) -> call.close());
    assertUnavailable(authorizer, "the authorizer does not respond");
  }

  /** OPA itself has failed then, so what it says is no decision. */
  @Test
  void shouldBeUnavailableOnAnErrorOfTheAuthorizer() {
    OpaAuthorizer authorizer = authorizer(opa.url(), true);
    for (int status : new int[] {401, 404, 500, 503}) {
      opa.answerBy((call, input) -> FakeOpa.send(call, status, "{\"result\":{\"allow\":true}}"));
      assertUnavailable(authorizer, "the authorizer answers with status " + status);
    }
  }

  @Test
  void shouldDenyWithoutAPolicy() {
    opa.answerBy((call, input) -> FakeOpa.send(call, 200, "{}"));
    assertThat(authorizer(opa.url(), true).ask(QUESTION).join().refusal())
        .contains(unknown("the policy does not exist"));
  }

  @Test
  void shouldBeUnavailableWhenItCannotBeReached() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertUnavailable(
        authorizer("http://localhost:" + port, true), "the authorizer cannot be reached");
  }

  @Test
  void shouldBeUnavailableWhenItIsSilent() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    opa.answerBy((call, input) -> await(end));
    assertUnavailable(authorizer(opa.url(), true, Duration.ofMillis(100)), SILENT);
    // Nor is the beginning of an answer one.
    opa.answerBy(
        (call, input) -> {
          call.sendResponseHeaders(200, 100);
          call.getResponseBody().write('{');
          call.getResponseBody().flush();
          await(end);
        });
    assertUnavailable(authorizer(opa.url(), true, Duration.ofMillis(100)), SILENT);
    end.countDown();
  }

  @Test
  void shouldDenyWhenTheHeaderCannotBeSent() {
    AuthorizationQuery odd =
        new AuthorizationQuery(
            Optional.empty(), "Bearer a\nb", "", List.of(), List.of(), Origin.NONE);
    assertThat(authorizer(opa.url(), true).ask(odd).join().refusal())
        .contains(unknown("the Authorization header cannot be sent to the authorizer"));
    assertThat(opa.asked).isEmpty();
  }

  @Test
  void shouldRetryOnceWhenAPersistentConnectionIsClosed() throws IOException {
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket agent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        OpaAuthorizer authorizer = authorizer("http://localhost:" + agent.getLocalPort(), true)) {
      Thread server = new Thread(() -> answerOncePerConnection(agent, connections));
      server.setDaemon(true);
      server.start();
      assertThat(authorizer.ask(QUESTION).join()).isEqualTo(Decision.ALLOWED);
      assertThat(authorizer.ask(QUESTION).join()).isEqualTo(Decision.ALLOWED);
      assertThat(connections).hasValue(2);
    }
  }

  /** Says that it keeps a connection, and closes it upon the second request. */
  private static void answerOncePerConnection(ServerSocket agent, AtomicInteger connections) {
    String answer = "{\"result\":{\"allow\":true}}";
    while (true) {
      try (Socket socket = agent.accept()) {
        connections.incrementAndGet();
        byte[] bytes = new byte[4 << 10];
        readRequest(socket, bytes);
        socket
            .getOutputStream()
            .write(
                ("HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer)
                    .getBytes(StandardCharsets.US_ASCII));
        if (socket.getInputStream().read(bytes) < 0) {
          return;
        }
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void readRequest(Socket socket, byte[] bytes) throws IOException {
    StringBuilder request = new StringBuilder();
    while (!request.toString().endsWith("]}}")) {
      int length = socket.getInputStream().read(bytes);
      request.append(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }
  }

  @Test
  void shouldLimitConcurrentRequests() throws InterruptedException {
    CountDownLatch all = new CountDownLatch(1);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    opa.answerBy(
        (call, input) -> {
          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
          await(all);
          inside.decrementAndGet();
          FakeOpa.send(call, 200, "{\"result\":{\"allow\":true}}");
        });
    OpaAuthorizer authorizer = authorizer(opa.url(), true, Duration.ofSeconds(20));
    List<CompletableFuture<Decision>> verdicts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      verdicts.add(authorizer.ask(QUESTION));
    }
    verdicts.get(299).cancel(false);
    all.countDown();
    verdicts.subList(0, 299).forEach(v -> assertThat(v.join()).isEqualTo(Decision.ALLOWED));
    assertThat(most.get()).isBetween(1, 128);
    assertThat(opa.asked).hasSize(299);
  }

  @Test
  void shouldRefuseWhenTooManyWait() {
    CountDownLatch end = new CountDownLatch(1);
    opa.answerBy((call, input) -> await(end));
    OpaAuthorizer authorizer = authorizer(opa.url(), true, Duration.ofSeconds(20));
    List<CompletableFuture<Decision>> verdicts = new ArrayList<>();
    for (int i = 0; i < 128 + 4_096; i++) {
      verdicts.add(authorizer.ask(QUESTION));
    }
    assertThat(authorizer.ask(QUESTION).join().refusal().orElseThrow().code())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    // Those that wait first, or they would take the places of the others.
    Collections.reverse(verdicts);
    verdicts.forEach(decision -> decision.cancel(false));
    end.countDown();
  }

  /** Pages also count against the share of their address. */
  @Test
  void shouldCountMayReadAllAgainstTheShareOfItsOrigin() {
    CountDownLatch end = new CountDownLatch(1);
    opa.answerBy(
        (call, input) -> {
          await(end);
          FakeOpa.send(call, 200, "{\"result\":{\"allow\":true}}");
        });
    Origin origin = Origin.ofAddress();
    CallContext context = new CallContext("http", Headers.NONE, OptionalLong.empty(), origin);
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    try (Authorization authorization =
        Authorization.of(config(opa.url(), true, Duration.ofSeconds(20)))) {
      for (int i = 0; i < 130; i++) {
        answers.add(authorization.mayReadAll(context).toCompletableFuture());
      }
      assertThat(origin.taken(Limit.QUEUED_AUTHORIZATIONS)).isEqualTo(2);
      end.countDown();
      answers.forEach(answer -> assertThat(answer.join()).isTrue());
    }
    assertThat(origin.taken(Limit.QUEUED_AUTHORIZATIONS)).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A denial would make a producer give up. */
  private static void assertUnavailable(OpaAuthorizer authorizer, String why) {
    Refusal refusal = authorizer.ask(QUESTION).join().refusal().orElseThrow();
    assertThat(refusal.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refusal.message()).startsWith("unknown authz error: " + why);
    assertThat(refusal.details()).isEmpty();
  }

  private static Refusal unknown(String why) {
    return new Refusal(Status.Code.PERMISSION_DENIED, "unknown authz error: " + why);
  }

  private OpaAuthorizer authorizer(String url, boolean sendsHeader) {
    return authorizer(url, sendsHeader, Duration.ofSeconds(5));
  }

  private OpaAuthorizer authorizer(String url, boolean sendsHeader, Duration timeout) {
    OpaAuthorizer authorizer = new OpaAuthorizer(config(url, sendsHeader, timeout));
    askers.add(authorizer);
    return authorizer;
  }

  private static AuthorizationConfig config(String url, boolean sendsHeader, Duration timeout) {
    return new AuthorizationConfig(
        AuthorizationConfig.Mode.OPAHTTP,
        url,
        AuthorizationConfig.PATH_DEFAULT,
        timeout,
        sendsHeader,
        false);
  }
}
