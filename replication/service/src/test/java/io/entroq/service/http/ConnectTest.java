package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.MethodDescriptor;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import io.entroq.service.testing.Await;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connect: calls with one answer, and the stream that the client for TypeScript reads. */
class ConnectTest {
  private static final String STREAM = "/api.EntroQ/StreamTasks";
  private static final String[] STREAM_HEADERS = {
    "Content-Type: application/connect+json",
    "Accept: application/connect+json",
    "Connect-Protocol-Version: 1",
    "Accept-Encoding: gzip, deflate"
  };

  private final HttpQueue served = new HttpQueue();
  private final RawHttp client = served.client;

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldRespondInJson() {
    RawResponse response =
        client.post(
            "/api.EntroQ/TryClaim",
            "{\"claimantId\":\"c\",\"queues\":[\"q\"]}",
            "Content-Type: application/json",
            "Connect-Protocol-Version: 1");
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("content-type", "application/json");
    assertThat(response.text()).isEqualTo("{}");
  }

  @Test
  void shouldServeAllMethodsOfTheApi() {
    for (MethodDescriptor method :
        PublishedV1Proto.getDescriptor().findServiceByName("EntroQ").getMethods()) {
      RawResponse response =
          client.post(
              "/api.EntroQ/" + method.getName(),
              "{}",
              "Content-Type: application/" + (method.isServerStreaming() ? "connect+json" : "json"),
              "Connect-Timeout-Ms: 200");
      assertThat(response.status()).as(method.getName()).isNotIn(404, 405, 415, 501);
    }
  }

  @Test
  void shouldRespondInProto() throws Exception {
    served.insert("q", "t1");
    client.send(
        "POST",
        "/api.EntroQ/TryClaim",
        ClaimRequest.newBuilder().addQueues("q").setClaimantId("c").build().toByteArray(),
        "Content-Type: application/proto");
    RawResponse response = client.receive();
    assertThat(response.headers()).containsEntry("content-type", "application/proto");
    assertThat(ClaimResponse.parseFrom(response.body()).getTask().getId()).isEqualTo("t1");
  }

  @Test
  void shouldReportErrorsInJsonEvenForProto() {
    client.send(
        "POST",
        "/api.EntroQ/TryClaim",
        ClaimRequest.getDefaultInstance().toByteArray(),
        "Content-Type: application/proto");
    RawResponse response = client.receive();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text())
        .startsWith(
            "{\"code\":\"invalid_argument\",\"message\":\"try claim: claim must name at least one queue\"");
    client.send(
        "POST",
        "/api.EntroQ/TryClaim",
        new byte[] {(byte) 0xff},
        "Content-Type: application/proto");
    assertThat(client.receive().text()).contains("unmarshal message: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/connect+json", "application/grpc-web+proto"})
  void shouldRejectOtherMediaTypes(String type) {
    RawResponse response = client.post("/api.EntroQ/TryClaim", "{}", "Content-Type: " + type);
    assertThat(response.status()).isEqualTo(415);
    assertThat(response.headers()).containsKey("accept-post");
    assertThat(response.text())
        .isEqualTo(
            "Content-Type: expected application/json, application/proto, got %s\n".formatted(type));
    assertThat(client.post(STREAM, "{}", "Content-Type: application/json").status()).isEqualTo(415);
  }

  @Test
  void shouldTakeABodyWithoutATypeForJson() {
    served.insert("q", "t1");
    assertThat(
            client.post("/api.EntroQ/TryClaim", "{\"claimantId\":\"c\",\"queues\":[\"q\"]}").text())
        .contains("\"id\":\"t1\"");
    RawResponse stream = client.post(STREAM, "{}");
    assertThat(stream.status()).isEqualTo(415);
    assertThat(stream.text())
        .isEqualTo(
            "Content-Type: expected application/connect+json, application/connect+proto, got none\n");
  }

  @Test
  void shouldStreamTasksInEnvelopes() {
    served.insert("q", "t1", "t2", "t3");
    client.send("POST", STREAM, envelope(0, "{\"queue\":\"q\"}"), STREAM_HEADERS);
    RawResponse response = client.receive();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers())
        .containsEntry("content-type", "application/connect+json")
        .doesNotContainKey("content-encoding");
    List<String> envelopes = envelopes(response.body());
    assertThat(envelopes).hasSize(4);
    assertThat(envelopes.subList(0, 3))
        .allMatch(text -> text.startsWith("0{\"tasks\":[{\"queue\":"));
    assertThat(envelopes.get(3)).startsWith("2{").doesNotContain("error");
    // The connection goes on.
    assertThat(client.get("/api/v0/time").status()).isEqualTo(200);
  }

  @Test
  void shouldStreamNothing() {
    client.send("POST", STREAM, envelope(0, "{\"queue\":\"q\"}"), STREAM_HEADERS);
    assertThat(envelopes(client.receive().body()))
        .hasSize(1)
        .allMatch(text -> text.startsWith("2{"));
  }

  @Test
  void shouldReportErrorsInTheLastEnvelope() {
    for (byte[] body :
        List.of(
            new byte[0],
            new byte[] {0, 0, 0},
            envelope(0, "{"),
            envelope(1, "{}"),
            envelope(2, "{}"),
            new byte[] {0, 0, 0, 0, 9, '{', '}'},
            new byte[] {0, -1, -1, -1, -1, '{', '}'},
            concat(envelope(0, "{}"), envelope(0, "{}")))) {
      client.send("POST", STREAM, body, STREAM_HEADERS);
      RawResponse response = client.receive();
      assertThat(response.status()).isEqualTo(200);
      assertThat(envelopes(response.body()))
          .singleElement()
          .asString()
          .startsWith("2{\"error\":{\"code\":\"invalid_argument\",\"message\":");
    }
  }

  @Test
  void shouldReadNoFasterThanItsClient() {
    String value = "\"" + "x".repeat(60_000) + "\"";
    StringBuilder deletes = new StringBuilder();
    for (int i = 0; i < 15; i++) {
      StringBuilder inserts = new StringBuilder();
      for (int j = 0; j < 10; j++) {
        inserts.append(
            "%s{\"queue\":\"q\",\"id\":\"t%d\",\"value\":%s}"
                .formatted(j == 0 ? "" : ",", 10 * i + j, value));
        deletes.append(
            "%s{\"id\":\"t%d\",\"queue\":\"q\"}"
                .formatted(deletes.isEmpty() ? "" : ",", 10 * i + j));
      }
      assertThat(client.post("/api/v0/modify", "{\"inserts\":[" + inserts + "]}").status())
          .isEqualTo(200);
    }
    try (RawHttp reader = RawHttp.slow(served.server.port())) {
      reader.send("POST", STREAM, envelope(0, "{\"queue\":\"q\"}"), STREAM_HEADERS);
      assertThat(reader.hasAnswerWithin(10_000)).isTrue();
      // What it has not come to by then it will not find.
      assertThat(client.post("/api/v0/modify", "{\"deletes\":[" + deletes + "]}").status())
          .isEqualTo(200);
      assertThat(envelopes(reader.receive().body())).hasSizeBetween(2, 140);
    }
  }

  @Test
  void shouldCancelAStreamWhoseClientDisconnects() {
    for (int i = 0; i < 20; i++) {
      served.insert("q", "a" + i, "b" + i, "c" + i);
    }
    for (int i = 0; i < 20; i++) {
      try (RawHttp reader = served.connect()) {
        reader.send("POST", STREAM, envelope(0, "{\"queue\":\"q\"}"), STREAM_HEADERS);
      }
    }
    Await.until("only one connection is left", () -> served.server.connections() == 1);
    assertThat(client.get("/api/v0/time").status()).isEqualTo(200);
  }

  private static byte[] envelope(int flags, String json) {
    byte[] message = json.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) flags)
        .putInt(message.length)
        .put(message)
        .array();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  /** Flags and text of each. */
  private static List<String> envelopes(byte[] body) {
    List<String> envelopes = new ArrayList<>();
    ByteBuffer rest = ByteBuffer.wrap(body);
    while (rest.hasRemaining()) {
      byte flags = rest.get();
      byte[] message = new byte[rest.getInt()];
      rest.get(message);
      envelopes.add(flags + new String(message, StandardCharsets.UTF_8));
    }
    return envelopes;
  }
}
