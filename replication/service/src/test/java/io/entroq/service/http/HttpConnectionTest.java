package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.service.admission.Admission;
import io.entroq.service.admission.AdmissionConfig;
import io.entroq.service.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection carries, and what it bears. */
class HttpConnectionTest {
  private static final String TIME = "GET /api/v0/time HTTP/1.1\r\nHost: t\r\n\r\n";
  private static final String CLAIM = "{\"claimantId\":\"c\",\"queues\":[\"q\"]}";
  private static final String MODIFY = "/api/v0/modify";

  @Test
  void shouldRespondToPipelinedRequestsInOrder() {
    try (HttpQueue served = new HttpQueue()) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 60; i++) {
        requests.append(
            i % 3 == 0
                ? TIME
                : i % 3 == 1
                    ? "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Length: 33\r\n\r\n"
                        .concat(CLAIM)
                    : "GET /nothing HTTP/1.1\r\nHost: t\r\n\r\n");
      }
      served.client.write(requests.toString());
      for (int i = 0; i < 60; i++) {
        RawResponse response = served.client.receive();
        assertThat(response.status()).isEqualTo(i % 3 == 2 ? 404 : 200);
        assertThat(response.text().equals("{}")).isEqualTo(i % 3 == 1);
      }
    }
  }

  @Test
  void shouldReadRequestsInPieces() {
    try (HttpQueue served = new HttpQueue()) {
      String head = "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n";
      String request =
          head.concat("12\r\n{\"claimantId\":\"c\",\r\nf\r\n\"queues\":[\"q\"]}\r\n0\r\n\r\n");
      for (byte each : request.getBytes(StandardCharsets.ISO_8859_1)) {
        served.client.write(new byte[] {each});
      }
      assertThat(served.client.receive().text()).isEqualTo("{}");
    }
  }

  @Test
  void shouldCloseWhenTheClientAsksForIt() {
    try (HttpQueue served = new HttpQueue()) {
      assertThat(served.client.get("/healthz", "Connection: close").headers())
          .containsEntry("connection", "close");
      assertThat(served.client.isEnded()).isTrue();
      try (RawHttp old = served.connect()) {
        old.write("GET /api/v0/time HTTP/1.0\r\n\r\n");
        assertThat(old.receive().status()).isEqualTo(200);
        assertThat(old.isEnded()).isTrue();
      }
    }
  }

  @Test
  void shouldRespondToExpectContinue() {
    try (HttpQueue served = new HttpQueue()) {
      served.client.write(
          "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Length: 33\r\nExpect: 100-continue\r\n\r\n");
      assertThat(served.client.receive().status()).isEqualTo(100);
      served.client.write("{\"claimantId\":\"c\",\"queues\":[\"q\"]}");
      assertThat(served.client.receive().text()).isEqualTo("{}");
      served.client.write("GET /api/v0/time HTTP/1.1\r\nHost: t\r\nExpect: money\r\n\r\n");
      assertThat(served.client.receive().status()).isEqualTo(417);
    }
  }

  /** A body of so many bytes. */
  private static String insert(int bytes) {
    String json = "{\"inserts\":[{\"queue\":\"q\"}]}";
    return json + " ".repeat(bytes - json.length());
  }

  @Test
  void shouldRefuseABodyThatIsTooLong() {
    try (HttpQueue served = new HttpQueue(HttpServerConfig.builder(0).messageBytesMax(10_000))) {
      assertThat(served.client.post(MODIFY, insert(10_000)).status()).isEqualTo(200);
      RawResponse refused = served.client.post(MODIFY, insert(10_001));
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text()).startsWith("{\"code\":8,").contains("10000 bytes");
      assertThat(served.client.isEnded()).isTrue();

      try (RawHttp other = served.connect()) {
        other.write(
            "POST /api.EntroQ/Modify HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n");
        other.write("Transfer-Encoding: chunked\r\n\r\n");
        other.write("2000\r\n" + "x".repeat(0x2000) + "\r\n2000\r\n" + "x".repeat(0x2000) + "\r\n");
        RawResponse unsaid = other.receive();
        assertThat(unsaid.status()).isEqualTo(429);
        assertThat(unsaid.text()).startsWith("{\"code\":\"resource_exhausted\"");
        assertThat(other.isEnded()).isTrue();
      }
      try (RawHttp other = served.connect()) {
        other.send("POST", MODIFY, gzip(" ".repeat(15_000)), "Content-Encoding: gzip");
        assertThat(other.receive().status()).isEqualTo(429);
      }
    }
  }

  @Test
  void shouldRefuseALongBodyEvenIfTheClientSendsAllOfItFirst() {
    try (HttpQueue served = new HttpQueue()) {
      byte[] body = new byte[12_000_000];
      served.client.send("POST", MODIFY, body);
      assertThat(served.client.receive().status()).isEqualTo(429);
    }
  }

  @Test
  void shouldLimitBytesInMemory() {
    try (HttpQueue served = new HttpQueue(HttpServerConfig.builder(0).callBytesMax(1 << 20))) {
      List<RawHttp> slow = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        RawHttp caller = served.connect();
        slow.add(caller);
        caller.write("POST " + MODIFY + " HTTP/1.1\r\nHost: t\r\nContent-Length: 600000\r\n\r\n");
        caller.write(" ".repeat(400_000));
      }
      int refused = 0;
      for (RawHttp caller : slow) {
        if (caller.hasAnswerWithin(300)) {
          assertThat(caller.receive().text())
              .contains("limit http-bytes: ", "use all of their memory");
          refused++;
        }
      }
      assertThat(refused).isBetween(1, 2);
      slow.forEach(RawHttp::close);
      Await.until("they are gone", () -> served.server.connections() == 1);
      assertThat(served.client.post(MODIFY, insert(600_000)).status()).isEqualTo(200);
    }
  }

  @Test
  void shouldRefuseAPageWithoutRoom() {
    try (HttpQueue served = new HttpQueue(HttpServerConfig.builder(0).callBytesMax(30_000));
        RawHttp other = served.connect()) {
      assertThat(other.get("/long").status()).isEqualTo(200);
      Await.until("the page is given back", () -> served.server.heldBytes() == 0);
      served.client.write("POST " + MODIFY + " HTTP/1.1\r\nHost: t\r\nContent-Length: 10000\r\n");
      served.client.write("Expect: 100-continue\r\n\r\n");
      assertThat(served.client.receive().status()).isEqualTo(100);
      served.client.write(insert(10_000).substring(0, 9_998));
      // Not by asking for pages, which would take the room that the request needs.
      Await.until("it is there", () -> served.server.heldBytes() >= 9_998);
      assertThat(other.get("/long").status()).isEqualTo(429);
      assertThat(other.get("/healthz").status()).isEqualTo(200);
      served.client.write(insert(10_000).substring(9_998));
      assertThat(served.client.receive().status()).isEqualTo(200);
      Await.until("there is room again", () -> other.get("/long").status() == 200);
    }
  }

  @Test
  void shouldDecompressRequests() {
    try (HttpQueue served = new HttpQueue()) {
      served.client.send(
          "POST",
          "/api/v0/claim",
          gzip("{\"claimantId\":\"c\",\"queues\":[\"q\"]}"),
          "Content-Encoding: gzip");
      assertThat(served.client.receive().text()).isEqualTo("{}");
      served.client.send("POST", "/api/v0/claim", new byte[] {'{', '}'}, "Content-Encoding: br");
      assertThat(served.client.receive().status()).isEqualTo(415);
      served.client.send(
          "POST", "/api/v0/claim", new byte[] {'{', '}'}, "Content-Encoding: deflate");
      assertThat(served.client.receive().status()).isEqualTo(415);
      served.client.send("POST", "/api/v0/claim", new byte[] {'{', '}'}, "Content-Encoding: gzip");
      assertThat(served.client.receive().status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut", "without its sum", "another sum", "behind", "twice"})
  void shouldRefuseInvalidGzip(String kind) {
    byte[] whole = gzip("{\"claimantId\":\"c\",\"queues\":[\"q\"]}");
    byte[] body =
        switch (kind) {
          case "cut" -> Arrays.copyOf(whole, whole.length / 2);
          case "without its sum" -> Arrays.copyOf(whole, whole.length - 8);
          case "another sum" -> {
            byte[] other = whole.clone();
            other[whole.length - 8]++;
            yield other;
          }
          case "behind" -> Arrays.copyOf(whole, whole.length + 3);
          default -> {
            byte[] twice = Arrays.copyOf(whole, 2 * whole.length);
            System.arraycopy(whole, 0, twice, whole.length, whole.length);
            yield twice;
          }
        };
    try (HttpQueue served = new HttpQueue()) {
      served.client.send("POST", "/api/v0/claim", body, "Content-Encoding: gzip");
      RawResponse response = served.client.receive();
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text())
          .startsWith("{\"code\":3,\"message\":\"the body is not valid gzip: ");
      assertThat(served.client.isEnded()).isTrue();
      try (RawHttp other = served.connect()) {
        other.write(
            "POST /api.EntroQ/Claim HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
                + "Content-Encoding: gzip\r\nContent-Length: "
                + body.length
                + "\r\n\r\n");
        for (byte each : body) {
          other.write(new byte[] {each});
        }
        assertThat(other.receive().text()).startsWith("{\"code\":\"invalid_argument\"");
      }
    }
  }

  @Test
  void shouldCloseConnectionsAboveTheLimit() {
    // Of four one address may have three.
    try (HttpQueue served = new HttpQueue(HttpServerConfig.builder(0).connectionsMax(4))) {
      assertThat(served.client.get("/healthz").status()).isEqualTo(200);
      try (RawHttp second = served.connect();
          RawHttp third = served.connect()) {
        assertThat(second.get("/healthz").status()).isEqualTo(200);
        assertThat(third.get("/healthz").status()).isEqualTo(200);
        try (RawHttp fourth = served.connect();
            RawHttp stranger = RawHttp.from("127.0.0.2", served.server.port())) {
          assertThat(fourth.isEnded()).isTrue();
          assertThat(stranger.get("/healthz").status()).isEqualTo(200);
        }
      }
      Await.until("there is room again", () -> served.server.connections() == 1);
      try (RawHttp second = served.connect()) {
        assertThat(second.get("/healthz").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void shouldCloseIdleConnections() {
    try (HttpQueue served =
        new HttpQueue(
            HttpServerConfig.builder(0)
                .idleMax(Duration.ofMillis(100))
                .stallMax(Duration.ofMillis(100)))) {
      try (RawHttp silent = served.connect()) {
        assertThat(silent.isEnded()).isTrue();
      }
      try (RawHttp slow = served.connect()) {
        slow.write("GET /healthz HTT");
        assertThat(slow.receive().status()).isEqualTo(408);
        assertThat(slow.isEnded()).isTrue();
      }
    }
  }

  @Test
  void shouldNotTreatAWaitingClientAsIdle() {
    // Long enough for a busy machine to hear what is asked.
    try (HttpQueue served =
            new HttpQueue(HttpServerConfig.builder(0).idleMax(Duration.ofMillis(1_000)));
        RawHttp waiting = served.connect()) {
      waiting.beginPost("/api/v0/claim/wait", "{\"claimantId\":\"c\",\"queues\":[\"q\"]}");
      assertThat(waiting.hasAnswerWithin(1_500)).isFalse();
      served.insert("q", "t1");
      assertThat(waiting.receive().text()).contains("t1");
    }
  }

  @Test
  void shouldNotWaitLongForTheRestOfARequest() {
    try (HttpQueue served =
        new HttpQueue(HttpServerConfig.builder(0).stallMax(Duration.ofMillis(100)))) {
      served.client.write("POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Length: 33\r\n\r\n{");
      assertThat(served.client.receive().status()).isEqualTo(408);
      assertThat(served.client.isEnded()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /healthz?",
        "GET /healthz HTTP/1.1\r\nHost: t\r\nX-Slow: ",
        "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\n",
        "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n1;x=",
        "POST /api.EntroQ/Claim HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
      })
  void shouldNotExtendTheTimeoutForSlowSenders(String begun) {
    Duration stallMax = Duration.ofMillis(200);
    try (HttpQueue served = new HttpQueue(HttpServerConfig.builder(0).stallMax(stallMax))) {
      long beginNs = System.nanoTime();
      served.client.write(begun);
      int sent = 0;
      while (sent < 5_000 && !served.client.hasAnswerWithin(5)) {
        served.client.write("x");
        sent++;
      }
      RawResponse response = served.client.receive();
      assertThat(response.status()).isEqualTo(408);
      assertThat(response.text()).contains("limit stall: ", "has not arrived within 200 ms");
      assertThat(Duration.ofNanos(System.nanoTime() - beginNs)).isGreaterThanOrEqualTo(stallMax);
      assertThat(sent).isLessThan(5_000);
      assertThat(served.client.isEnded()).isTrue();
    }
  }

  @Test
  void shouldRespondToThousandsOfPipelinedRequests() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      int requests = 3_000;
      StringBuilder ahead = new StringBuilder();
      for (int i = 0; i < requests; i++) {
        ahead.append(i % 10 == 9 ? TIME.replace("/api/v0/time", "/nothing") : TIME);
      }
      CompletableFuture<Void> written =
          CompletableFuture.runAsync(() -> served.client.write(ahead.toString()));
      for (int i = 0; i < requests; i++) {
        assertThat(served.client.receive().status()).isEqualTo(i % 10 == 9 ? 404 : 200);
      }
      written.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldCloseConnectionsThatDoNotReadResponsesInTime() {
    try (HttpQueue served =
        new HttpQueue(HttpServerConfig.builder(0).stallMax(Duration.ofMillis(300)))) {
      // Not over a connection, which a busy machine might be too slow for.
      Insert insert = Insert.into("q").withValue(Value.json("\"" + "x".repeat(15_000) + "\""));
      for (int i = 0; i < 8; i++) {
        served.queue.modify(Modification.insert(Collections.nCopies(60, insert))).orThrow();
      }
      long beginNs = System.nanoTime();
      try (RawHttp reader = RawHttp.slow(served.server.port())) {
        reader.send(
            "POST",
            "/api.EntroQ/StreamTasks",
            "\0\0\0\0\15{\"queue\":\"q\"}".getBytes(StandardCharsets.ISO_8859_1),
            "Content-Type: application/connect+json");
        Await.until("the client is connected", () -> served.server.connections() == 2);
        Await.until("the client is disconnected", () -> served.server.connections() == 1);
        // At least 32 KiB wait for him before there is room for more.
        assertThat(Duration.ofNanos(System.nanoTime() - beginNs))
            .isGreaterThan(Duration.ofMillis(2_300));
      }
    }
  }

  @Test
  void shouldServeOthersWhileAnAddressDoesNotReadItsListings() {
    try (Admission admission =
            new Admission(
                new AdmissionConfig(
                    4, 4, 256 << 20, 10 << 20, 4, 16 << 20, Duration.ofMinutes(5)));
        HttpQueue served =
            new HttpQueue(HttpServerConfig.builder(0).callBytesMax(64 << 20), admission::before)) {
      String insert = "{\"queue\":\"q\",\"value\":\"" + "x".repeat(100_000) + "\"}";
      String inserts = String.join(",", Collections.nCopies(60, insert));
      assertThat(served.client.post(MODIFY, "{\"inserts\":[" + inserts + "]}").status())
          .isEqualTo(200);
      List<RawHttp> unread = new ArrayList<>();
      try {
        for (int i = 0; i < 8; i++) {
          unread.add(RawHttp.slow(served.server.port()));
          unread.get(i).send("GET", "/api/v0/tasks?queue=q", new byte[0]);
        }
        Await.until("they have their share", () -> admission.requestsUnderWay() == 3);
        Await.until("some wait", () -> admission.waiting() == 3);
        // The answers of those that are served are under way, and none of them is read.
        Await.until(
            "the others are refused",
            () -> unread.stream().filter(caller -> caller.hasAnswerWithin(10)).count() == 5);
        try (RawHttp stranger = RawHttp.from("127.0.0.2", served.server.port())) {
          for (int i = 0; i < 20; i++) {
            assertThat(stranger.get("/api/v0/tasks?queue=none").status()).isEqualTo(200);
          }
        }
        assertThat(admission.waiting()).isEqualTo(3);
        List<Integer> statuses = new ArrayList<>();
        // Some have no answer before others have read theirs.
        List<RawHttp> left = new ArrayList<>(unread);
        Await.until(
            "all have their answers",
            () -> {
              left.removeIf(
                  caller -> caller.hasAnswerWithin(10) && statuses.add(caller.receive().status()));
              return left.isEmpty();
            });
        assertThat(Collections.frequency(statuses, 200)).isEqualTo(6);
        assertThat(Collections.frequency(statuses, 429)).isEqualTo(2);
      } finally {
        unread.forEach(RawHttp::close);
      }
      Await.until("they are forgotten", () -> admission.requestsUnderWay() == 0);
    }
  }

  @Test
  void shouldReportHealth() {
    try (HttpQueue served = new HttpQueue()) {
      for (String page : List.of("", "/live", "/ready", "/started")) {
        RawResponse response = served.client.get("/healthz" + page);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).isEqualTo("ok\n");
      }
      served.queue.close();
      assertThat(served.client.get("/healthz").status()).isEqualTo(503);
      assertThat(served.client.get("/healthz/live").status()).isEqualTo(503);
      assertThat(served.client.get("/healthz/started").status()).isEqualTo(200);
    }
  }

  @Test
  void shouldReportThatItIsShuttingDown() throws Exception {
    try (HttpQueue served = new HttpQueue();
        RawHttp idle = served.connect();
        RawHttp live = served.connect()) {
      assertThat(idle.get("/healthz").status()).isEqualTo(200);
      // Both are let in before it begins to end, and answered after that.
      for (RawHttp asking : List.of(served.client, live)) {
        asking.write(
            "GET /healthz%s HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n"
                .formatted(asking == live ? "/live" : ""));
        assertThat(asking.receive().status()).isEqualTo(100);
      }
      CompletableFuture<Boolean> draining =
          CompletableFuture.supplyAsync(() -> served.server.drain(Duration.ofSeconds(30)));
      assertThat(idle.isEnded()).isTrue();
      served.client.write("x");
      RawResponse ready = served.client.receive();
      assertThat(ready.status()).isEqualTo(503);
      assertThat(ready.text()).isEqualTo("the server is about to end\n");
      assertThat(ready.headers()).containsEntry("connection", "close");
      live.write("x");
      assertThat(live.receive().status()).isEqualTo(200);
      assertThat(draining.get()).isTrue();
    }
  }

  @Test
  void shouldServeFurtherPages() {
    try (HttpQueue served = new HttpQueue()) {
      RawResponse response = served.client.get("/page");
      assertThat(response.status()).isEqualTo(HttpQueue.PAGE.status());
      assertThat(response.headers()).containsEntry("content-type", HttpQueue.PAGE.contentType());
      assertThat(response.text()).isEqualTo("a page, ä");
    }
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
      packed.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
