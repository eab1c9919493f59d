package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mutated requests: any of them is the caller's error and affects only its connection. */
class MutatedHttpTest {
  private static final int ROUNDS = 500;

  /** What has been cut off is not waited for. */
  private static final Duration SOON = Duration.ofMillis(20);

  private static final long SEED = Long.getLong("test.seed", new SplittableRandom().nextLong());

  /** None that blames the server. */
  private static final Set<Integer> EXPECTED =
      Set.of(100, 200, 400, 404, 405, 409, 408, 414, 415, 417, 429, 431, 501, 504, 505);

  private static final List<String> REQUESTS =
      List.of(
          "GET /api/v0/tasks?queue=q&limit=3&taskId=a%20b HTTP/1.1\r\nHost: t\r\n",
          "GET /api/v0/docs?query.namespace=n&query.keyStart=k HTTP/1.1\r\nHost: t\r\n",
          "GET /api/v0/queues/stats?matchPrefix=q HTTP/1.1\r\nHost: t\r\nAccept-Encoding: gzip\r\n",
          post(
              "/api/v0/modify",
              "application/json",
              "{\"claimantId\":\"c\",\"inserts\":[{\"queue\":\"q\",\"atMs\":\"0\",\"value\":{\"a\":"
                  + "[1.5e3,null,true,\"\\u00e4\"]},\"attempt\":1}],\"depends\":[{\"id\":\"x\",\"version\":1}]}"),
          post(
              "/api/v0/claim",
              "application/json",
              "{\"claimantId\":\"c\",\"queues\":[\"q\",\"r\"],\"durationMs\":\"1\",\"limit\":2}"),
          post("/api.EntroQ/TryClaim", "application/proto", "\n\1c\22\1q"),
          post(
              "/api.EntroQ/StreamTasks",
              "application/connect+json",
              "\0\0\0\0\15{\"queue\":\"q\"}"),
          post(
              "/api/v0/claim",
              "application/json\r\nContent-Encoding: gzip",
              gzip("{\"claimantId\":\"c\",\"queues\":[\"q\"]}")),
          "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "8;a=b\r\n{\"queues\r\n8\r\n\":[\"q\"]}\r\n0\r\nX: 1\r\n\r\n",
          "\r\nGET http://t/healthz HTTP/1.0\r\nX: 1\r\n 2\r\n"
              + "Expect: 100-continue\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n",
          "OPTIONS * HTTP/1.1\r\nHost: [::1]:1\r\nContent-Length: 0\r\n\r\n"
              + "GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");

  private final HttpQueue served =
      new HttpQueue(HttpServerConfig.builder(0).stallMax(SOON).idleMax(SOON));
  private final SplittableRandom random = new SplittableRandom(SEED);

  @AfterEach
  void close() {
    served.close();
  }

  private static String post(String path, String type, String body) {
    return "POST %s HTTP/1.1\r\nHost: t\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(path, type, body.length(), body);
  }

  private static String gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
      packed.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  void shouldRespondOrCloseForAnyInput() {
    for (int i = 0; i < ROUNDS; i++) {
      String request = REQUESTS.get(i % REQUESTS.size());
      byte[] mutated = mutate((request.startsWith("GET") ? request + "\r\n" : request));
      try (RawHttp caller = served.connect()) {
        caller.write(mutated);
        assertThat(statusOf(caller))
            .as("seed %d, round %d: %s", SEED, i, new String(mutated, StandardCharsets.ISO_8859_1))
            .isIn(EXPECTED);
      }
    }
    try (RawHttp caller = served.connect()) {
      assertThat(caller.get("/healthz").status()).isEqualTo(200);
    }
    Await.until("all are gone", () -> served.server.connections() == 0);
  }

  private byte[] mutate(String request) {
    byte[] mutated = request.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
    }
    return random.nextInt(5) == 0
        ? Arrays.copyOf(mutated, random.nextInt(mutated.length))
        : mutated;
  }

  /** The status of the answer; that of a request that is none, if the connection just ended. */
  private static int statusOf(RawHttp caller) {
    try {
      return caller.receive().status();
    } catch (UncheckedIOException e) {
      assertThat(e.getCause()).isNotInstanceOf(SocketTimeoutException.class);
      return 400;
    }
  }
}
