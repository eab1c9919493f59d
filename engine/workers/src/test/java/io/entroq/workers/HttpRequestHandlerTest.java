package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.worker.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestHandlerTest extends WorkersTestBase {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;
  private String host;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.setExecutor(threads);
    host = "127.0.0.1:" + server.getAddress().getPort();
    on("/ok", exchange -> answer(exchange, 200, "fine"));
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private interface Page {
    void serve(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private void on(String path, Page page) {
    server.createContext(
        path,
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          requests.add(
              "%s %s %s".formatted(exchange.getRequestMethod(), exchange.getRequestURI(), body));
          keys.addAll(exchange.getRequestHeaders().get("Idempotency-Key"));
          try {
            page.serve(exchange);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private HttpRequestHandler handler() {
    return handler(Results.standard());
  }

  private HttpRequestHandler handler(Results results) {
    return HttpRequestHandler.to(
        Destinations.hosts(host).withRanges(List.of("127.0.0.1")), results);
  }

  private void insertUrl(String url) {
    insert("{\"url\":\"%s\"}".formatted(url));
  }

  private static String body(JsonNode result) {
    return new String(
        Base64.getDecoder().decode(result.get("body").textValue()), StandardCharsets.UTF_8);
  }

  @Test
  void shouldInsertTheResponse() throws Exception {
    insertUrl("http://" + host + "/ok?a=b");
    work(handler());
    JsonNode result = result("in/done");
    assertThat(result.get("status_code").intValue()).isEqualTo(200);
    assertThat(result.get("header").get("Content-Length").get(0).textValue()).isEqualTo("4");
    assertThat(body(result)).isEqualTo("fine");
    assertThat(result.get("elapsed").longValue()).isPositive();
    assertThat(result.has("error")).isFalse();
    assertThat(result.has("truncated")).isFalse();
    assertThat(requests).containsExactly("GET /ok?a=b ");
  }

  @Test
  void shouldSendMethodHeadersAndBody() throws Exception {
    on(
        "/echo",
        exchange ->
            answer(exchange, 201, String.join(",", exchange.getRequestHeaders().get("X-Some"))));
    insert(
        "{\"method\":\"PUT\",\"url\":\"http://%s/echo\",\"header\":{\"X-Some\":[\"1\",\"2\"]},\"body\":\"aGk=\",\"timeout\":60000000000}"
            .formatted(host));
    work(handler());
    JsonNode result = result("in/done");
    assertThat(result.get("status_code").intValue()).isEqualTo(201);
    assertThat(body(result)).isEqualTo("1,2");
    assertThat(requests).containsExactly("PUT /echo hi");
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 302, 404, 503})
  void shouldCallAnyStatusASuccess(int status) throws Exception {
    on(
        "/status",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "http://" + host + "/ok");
          answer(exchange, status, "");
        });
    insertUrl("http://" + host + "/status");
    work(handler());
    JsonNode result = result("in/done");
    assertThat(result.get("status_code").intValue()).isEqualTo(status);
    assertThat(result.get("header").get("Location").get(0).textValue()).endsWith("/ok");
    assertThat(requests).as("no redirect is followed").containsExactly("GET /status ");
  }

  @Test
  void shouldSendTheSameKeyForATaskAndAnotherForEach() throws Exception {
    on("/cut", HttpExchange::close);
    HttpRequestHandler handler = handler(Results.standard().withRetries(1));
    for (String id : List.of("one", "two")) {
      insert(
          Insert.into("in")
              .withId(id)
              .withValue(
                  io.entroq.api.Value.json(
                      "{\"method\":\"POST\",\"url\":\"http://%s/cut\"}".formatted(host))));
      work(handler);
      queue.advance(RETRY_DELAY);
      work(handler);
    }
    assertThat(tasks("in/error")).hasSize(2);
    assertThat(keys).hasSize(4);
    assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2)).hasSize(36);
    assertThat(keys.get(2)).isEqualTo(keys.get(3));
  }

  @Test
  void shouldSendTheKeyOfTheTask() throws Exception {
    insert(
        "{\"url\":\"http://%s/ok\",\"header\":{\"idempotency-key\":[\"mine\"]}}".formatted(host));
    work(handler());
    assertThat(keys).containsExactly("mine");
  }

  @Test
  void shouldEndAfterTheTimeLimitEvenWithinABody() throws Exception {
    on(
        "/slow",
        exchange -> {
          exchange.sendResponseHeaders(200, 10);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          end.await();
        });
    insertUrl("http://" + host + "/slow");
    work(handler().withLimits(Duration.ofMillis(300), 100));
    JsonNode result = result("in/error");
    assertThat(result.get("error").textValue()).isEqualTo("no complete response within 300 ms");
    assertThat(result.get("status_code").intValue()).isZero();
    assertThat(result.get("body").isNull()).isTrue();
  }

  @Test
  void shouldCloseTheConnectionAfterTheTimeLimit() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    on(
        "/slow",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try {
            while (!end.await(1, TimeUnit.MILLISECONDS)) {
              exchange.getResponseBody().write('x');
              exchange.getResponseBody().flush();
            }
          } catch (IOException e) {
            closed.countDown();
          }
        });
    insertUrl("http://" + host + "/slow");
    work(handler().withLimits(Duration.ofMillis(300), 500_000));
    assertThat(result("in/error").get("error").textValue()).contains("within 300 ms");
    closed.await();
  }

  @Test
  void shouldTakeAShorterTimeLimitOfTheTaskAndNoLongerOne() throws Exception {
    on("/never", exchange -> end.await());
    insert("{\"url\":\"http://%s/never\",\"timeout\":200000000}".formatted(host));
    insert("{\"url\":\"http://%s/never\",\"timeout\":90000000000}".formatted(host));
    work(handler().withLimits(Duration.ofMillis(400), 100));
    assertThat(tasks("in/error"))
        .extracting(task -> Json.read(task.value()).get("error").textValue())
        .containsExactlyInAnyOrder(
            "no complete response within 200 ms", "no complete response within 400 ms");
  }

  @Test
  void shouldKeepTheBeginningOfALongBody() throws Exception {
    on(
        "/long",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] block = new byte[1 << 16];
          try {
            while (end.getCount() > 0) {
              exchange.getResponseBody().write(block);
            }
          } catch (IOException e) {
            // The handler has ended the connection.
          }
        });
    insertUrl("http://" + host + "/long");
    work(handler().withLimits(Duration.ofSeconds(60), 1_000));
    JsonNode result = result("in/done");
    assertThat(body(result)).hasSize(1_000);
    assertThat(result.get("truncated").booleanValue()).isTrue();
  }

  @Test
  void shouldTakeNoMoreThanSomeHeaders() throws Exception {
    on(
        "/headers",
        exchange -> {
          for (int i = 0; i < 20; i++) {
            exchange.getResponseHeaders().set("X-" + i, "x".repeat(4_000));
          }
          answer(exchange, 200, "");
        });
    insertUrl("http://" + host + "/headers");
    work(handler());
    assertThat(result("in/error").get("error").textValue())
        .matches("the response has headers of [0-9,]+ characters; at most 65,536 are taken");
  }

  @Test
  void shouldInsertTheReasonIfThereIsNoResponse() throws Exception {
    try (ServerSocket unused = new ServerSocket(0, 1, LOOPBACK)) {
      host = "127.0.0.1:" + unused.getLocalPort();
    }
    insertUrl("http://" + host + "/");
    work(handler());
    JsonNode result = result("in/error");
    assertThat(result.get("error").textValue()).isNotEmpty();
    assertThat(result.get("header").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://localhost:PORT/ok|localhost:PORT is not an allowed host",
        "http://127.0.0.1:1/ok|127.0.0.1:1 is not an allowed host",
        "http://127.0.0.1/ok|127.0.0.1:80 is not an allowed host",
        "http://me:secret@127.0.0.1:PORT/ok|the URL must have no user",
        "http://me@127.0.0.1:PORT/ok|the URL must have no user",
        "http://127.0.0.1:PORT@localhost/ok|the URL must have no user",
        "http://2130706433:PORT/ok|2130706433:PORT is not an allowed host",
      })
  void shouldRefuseOtherHosts(String url, String reason) throws Exception {
    String port = Integer.toString(server.getAddress().getPort());
    insertUrl(url.replace("PORT", port));
    work(handler(Results.standard().withRetries(3)));
    assertThat(result("in/error").get("error").textValue())
        .as("without a retry")
        .isEqualTo(reason.replace("PORT", port));
    assertThat(requests).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433"})
  void shouldRefuseAddressesThatAreNotPublic(String name) throws Exception {
    int port = server.getAddress().getPort();
    insertUrl("http://" + name + ":" + port + "/ok");
    work(HttpRequestHandler.to(Destinations.hosts("*:" + port), Results.standard()));
    assertThat(result("in/error").get("error").textValue())
        .contains("has the address ", ", which is not public and not in an allowed range");
    assertThat(requests).isEmpty();
  }

  @Test
  void shouldAllowOnlyTheAllowedRanges() throws Exception {
    insertUrl("http://" + host + "/ok");
    work(
        HttpRequestHandler.to(
            Destinations.hosts(host).withRanges(List.of("10.0.0.0/8", "127.0.0.2")),
            Results.standard()));
    assertThat(result("in/error").get("error").textValue()).contains("not in an allowed range");
  }

  @Test
  void shouldDropTheResponseOfAHostWhoseAddressHasChanged() throws Exception {
    InetAddress somePublic = InetAddress.getByName("1.1.1.1");
    AtomicInteger lookups = new AtomicInteger();
    Destinations changing =
        Destinations.hosts(host)
            .withLookup(
                name -> new InetAddress[] {lookups.getAndIncrement() == 0 ? somePublic : LOOPBACK});
    insertUrl("http://" + host + "/ok");
    work(HttpRequestHandler.to(changing, Results.standard()));
    assertThat(requests).hasSize(1);
    JsonNode result = result("in/error");
    assertThat(result.get("error").textValue()).contains("127.0.0.1, which is not public");
    assertThat(result.get("body").isNull()).isTrue();
  }

  @Test
  void shouldRefuseAHostOfWhichOneAddressIsNotPublic() throws Exception {
    InetAddress somePublic = InetAddress.getByName("1.1.1.1");
    Destinations several =
        Destinations.hosts(host).withLookup(name -> new InetAddress[] {somePublic, LOOPBACK});
    insertUrl("http://" + host + "/ok");
    work(HttpRequestHandler.to(several, Results.standard()));
    assertThat(result("in/error").get("error").textValue()).contains("which is not public");
    assertThat(requests).isEmpty();
  }

  @Test
  void shouldNotUseTheProxyOfTheProcess() throws Exception {
    System.setProperty("http.proxyHost", "127.0.0.1");
    System.setProperty("http.proxyPort", "1");
    System.setProperty("http.nonProxyHosts", "");
    try {
      insertUrl("http://" + host + "/ok");
      work(handler());
    } finally {
      System.clearProperty("http.proxyHost");
      System.clearProperty("http.proxyPort");
      System.clearProperty("http.nonProxyHosts");
    }
    assertThat(body(result("in/done"))).isEqualTo("fine");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|the task has no url",
        "{\"url\":\"\"}|the task has no url",
        "{\"url\":7}|cannot decode the value",
        "{\"url\":\"not a url\"}|the task is no valid request",
        "{\"url\":\"/relative\"}|the task is no valid request",
        "{\"url\":\"file:///etc/passwd\"}|the task is no valid request",
        "{\"url\":\"ftp://127.0.0.1/\"}|the task is no valid request",
        "{\"url\":\"http:///nohost\"}|the task is no valid request",
        "{\"url\":\"http://a/\",\"method\":\"G T\"}|the task is no valid request",
        "{\"url\":\"http://a/\",\"method\":\"GET\\r\\nX: y\"}|the task is no valid request",
        "{\"url\":\"http://a/\",\"header\":{\"Host\":[\"b\"]}}|the task is no valid request",
        "{\"url\":\"http://a/\",\"header\":{\"Content-Length\":[\"0\"]}}|no valid request",
        "{\"url\":\"http://a/\",\"body\":\"aGk=\",\"header\":{\"Transfer-Encoding\":[\"chunked\"]}}|header Transfer-Encoding is not possible here",
        "{\"url\":\"http://a/\",\"header\":{\"TE\":[\"trailers\"]}}|header TE is not possible here",
        "{\"url\":\"http://a/\",\"header\":{\"trailer\":[\"X\"]}}|header trailer is not possible here",
        "{\"url\":\"http://a/\",\"header\":{\"Keep-Alive\":[\"timeout=5\"]}}|header Keep-Alive is not possible here",
        "{\"url\":\"http://a/\",\"header\":{\"Proxy-Connection\":[\"close\"]}}|header Proxy-Connection is not possible here",
        "{\"url\":\"http://a/\",\"header\":{\"Proxy-Authorization\":[\"x\"]}}|header Proxy-Authorization is not possible here",
        "{\"url\":\"http://a/\",\"header\":{\"X\":[\"a\\r\\nY: b\"]}}|invalid header value: \"a  Y: b\"",
        "{\"url\":\"http://a/\",\"header\":{\"X Y\":[\"a\"]}}|no valid request",
        "{\"url\":\"http://a/\",\"header\":{\"X\":\"a\"}}|cannot decode the value",
        "{\"url\":\"http://a/\",\"header\":{\"X\":null}}|header X must be a list of texts",
        "{\"url\":\"http://a/\",\"header\":{\"X\":[null]}}|header X must be a list of texts",
        "{\"url\":\"http://a/\",\"body\":\"%%\"}|cannot decode the value",
        "{\"url\":\"http://a/\",\"timeout\":-1}|timeout must not be negative, is -1",
        "{\"url\":\"http://a/\",\"timeout\":\"1s\"}|cannot decode the value",
        "{\"url\":\"http://a/\",\"timeout\":1.5}|cannot decode the value",
      })
  void shouldQuarantineOtherTasks(String json, String reason) throws Exception {
    insert(json);
    work(handler());
    assertQuarantined(reason);
  }

  @Test
  void shouldEndARequestWhoseWorkerIsStopped() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    on(
        "/never",
        exchange -> {
          begun.countDown();
          end.await();
        });
    insertUrl("http://" + host + "/never");
    try (Worker worker = start(handler())) {
      begun.await();
      worker.close(Duration.ZERO);
    }
    assertThat(only("in").claimant()).as("it is released").isEmpty();
  }

  @Test
  void shouldRefuseImpossibleLimits() {
    HttpRequestHandler handler = handler();
    assertThatThrownBy(() -> handler.withLimits(Duration.ZERO, 1)).hasMessageContaining("PT0S");
    assertThatThrownBy(() -> handler.withLimits(Duration.ofHours(2), 1))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> handler.withLimits(Duration.ofSeconds(1), 655_361))
        .hasMessage("body bytes must be from 0 to 655,360, is 655,361");
    assertThatThrownBy(Destinations::hosts).hasMessageContaining("no host is allowed");
  }
}
