package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every answer says which protocols are served, protocol 2, 2.1. */
class AnnouncementTest {
  private static final String JSON = "Content-Type: application/json\r\n";

  private static String request(String line, String headers, String body) {
    return "%s HTTP/1.1\r\nHost: h\r\n%s%s\r\n%s"
        .formatted(
            line, headers, body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n", body);
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        Arguments.of(200, request("GET /api/v0/time", "", "")),
        Arguments.of(200, request("GET /healthz", "", "")),
        Arguments.of(203, request("GET /page", "", "")),
        Arguments.of(200, request("GET /long", "Accept-Encoding: gzip\r\n", "")),
        Arguments.of(200, "GET /api/v0/time HTTP/1.0\r\n\r\n"),
        Arguments.of(200, request("POST /api.EntroQ/Time", JSON, "{}")),
        Arguments.of(
            200,
            request(
                "POST /api.EntroQ/StreamTasks",
                "Content-Type: application/connect+json\r\n",
                "\0\0\0\0\2{}")),
        Arguments.of(400, request("POST /api/v0/claim", JSON, "{")),
        Arguments.of(400, request("GET /api/v0/tasks?none=1", "", "")),
        Arguments.of(400, request("GET /api/v0/time", "entroq-protocol: x\r\n", "")),
        Arguments.of(404, request("GET /none", "", "")),
        Arguments.of(404, request("POST /api.EntroQ/None", JSON, "{}")),
        Arguments.of(405, request("POST /api/v0/time", JSON, "{}")),
        Arguments.of(405, request("OPTIONS /api/v0/claim", "", "")),
        Arguments.of(415, request("POST /api/v0/claim", "Content-Type: text/plain\r\n", "{}")),
        Arguments.of(415, request("GET /api/v0/tasks/stream", "", "")),
        Arguments.of(429, request("POST /api/v0/claim", "Content-Length: 99999999\r\n", "")),
        Arguments.of(501, request("GET /api/v0/time", "entroq-protocol: 3\r\n", "")),
        // Not even the head could be read.
        Arguments.of(400, "GET /api/v0/time HTTP/1.1\r\n\r\n"),
        Arguments.of(400, "\0\0\0\r\n\r\n"),
        Arguments.of(414, "GET /" + "x".repeat(70_000) + " HTTP/1.1\r\n\r\n"),
        Arguments.of(417, request("POST /api/v0/claim", "Expect: 200-ok\r\n", "{}")),
        Arguments.of(431, request("GET /", "X: " + "x".repeat(9_000) + "\r\n", "")),
        Arguments.of(501, request("POST /", "Transfer-Encoding: gzip\r\n", "")),
        Arguments.of(505, "GET / HTTP/2.0\r\nHost: h\r\n\r\n"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void shouldAnnounceTheServedProtocols(int status, String request) {
    try (HttpQueue served = new HttpQueue()) {
      served.client.write(request.getBytes(StandardCharsets.ISO_8859_1));
      assertAnnounced(served.client.receive(), status);
    }
  }

  @Test
  void shouldAnnounceThemToARequestThatDoesNotArrive() {
    try (HttpQueue served =
        new HttpQueue(HttpServerConfig.builder(0).stallMax(Duration.ofMillis(100)))) {
      served.client.write("POST /api/v0/claim HTTP/1.1\r\n");
      assertAnnounced(served.client.receive(), 408);
    }
  }

  @Test
  void shouldAnnounceThemInAnAnswerWithoutABody() {
    try (HttpQueue served = new HttpQueue()) {
      served.client.write("HEAD /none HTTP/1.1\r\nHost: h\r\n\r\n");
      assertAnnounced(served.client.receiveHead(), 404);
    }
  }

  private static void assertAnnounced(RawResponse response, int status) {
    assertThat(response.status()).as(response.text()).isEqualTo(status);
    assertThat(response.headers()).containsEntry("entroq-protocol", "1,2");
    assertThat(response.headers().get("entroq-version")).isNotBlank();
  }
}
