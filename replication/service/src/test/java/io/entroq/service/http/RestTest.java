package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** REST as the clients for Python and TypeScript speak it, contract 1.13. */
class RestTest {
  private static final String JSON = "Content-Type: application/json";

  private final HttpQueue served = new HttpQueue();
  private final RawHttp client = served.client;

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldRespondToAnEmptyClaimWithAnEmptyObject() {
    RawResponse response =
        client.post(
            "/api/v0/claim",
            "{\"claimantId\": \"c\", \"queues\": [\"q\"], \"durationMs\": \"30000\"}",
            JSON);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("{}");
    assertThat(response.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("accept-encoding", "gzip");
  }

  @Test
  void shouldInsertClaimChangeAndDelete() throws Exception {
    JsonNode inserted =
        json(client.post(
                "/api/v0/modify",
                "{\"claimantId\":\"c\",\"inserts\":[{\"queue\":\"q\",\"atMs\":\"0\",\"value\":"
                    + "{\"b\":1,\"a\":[1.5,null]}}]}",
                "Content-Type: application/json; charset=utf-8"))
            .at("/inserted/0");
    assertThat(inserted.get("id").asText()).matches("[0-9a-f]{16}");
    // What is a default is left out.
    assertThat(inserted.has("version")).isFalse();
    assertThat(inserted.has("err")).isFalse();
    assertThat(inserted.get("atMs").isTextual()).isTrue();
    assertThat(inserted.get("value").toString()).isEqualTo("{\"a\":[1.5,null],\"b\":1}");

    JsonNode task =
        json(client.post(
                "/api/v0/claim",
                "{\"claimant_id\":\"c\",\"queues\":[\"q\"],\"duration_ms\":30000}"))
            .get("task");
    assertThat(task.get("version").isInt()).isTrue();
    assertThat(task.get("version").asInt()).isEqualTo(1);
    assertThat(task.get("claimantId").asText()).isEqualTo("c");

    JsonNode changed =
        json(client.post(
                "/api/v0/modify",
                ("{\"claimantId\":\"c\",\"changes\":[{\"oldId\":{\"id\":%s,\"version\":\"1\",\"queue\":\"q\"},"
                        + "\"newData\":{\"queue\":\"r\",\"value\":null,\"attempt\":2}}]}")
                    .formatted(task.get("id"))))
            .at("/changed/0");
    assertThat(changed.get("value").isNull()).isTrue();
    assertThat(changed.get("attempt").asInt()).isEqualTo(2);

    assertThat(
            client
                .post(
                    "/api/v0/modify",
                    "{\"claimantId\":\"c\",\"deletes\":[{\"id\":%s,\"version\":2,\"queue\":\"r\"}]}"
                        .formatted(task.get("id")))
                .text())
        .isEqualTo("{}");
    assertThat(client.get("/api/v0/tasks?queue=r").text()).isEqualTo("{}");
  }

  @Test
  void shouldDistinguishAnAbsentValueFromNull() throws Exception {
    JsonNode inserted =
        json(client.post(
                "/api/v0/modify",
                "{\"inserts\":[{\"queue\":\"q\",\"value\":null},{\"queue\":\"q\"}]}"))
            .get("inserted");
    assertThat(inserted.get(0).get("value").isNull()).isTrue();
    assertThat(inserted.get(1).has("value")).isFalse();
    assertThat(client.get("/api/v0/tasks?queue=q&omitValues=true").text())
        .doesNotContain("\"value\"");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1.5, 1.5",
    "-0, -0",
    "-0.0, -0",
    "100000000000000000000, 100000000000000000000",
    "1e21, 1e+21",
    "0.000001, 0.000001",
    "1e-7, 1e-7",
    "123456789012345678, 123456789012345680",
    "5e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308"
  })
  void shouldPrintNumbersAsJavaScriptDoes(String given, String printed) {
    String text =
        client
            .post("/api/v0/modify", "{\"inserts\":[{\"queue\":\"q\",\"value\":[" + given + "]}]}")
            .text();
    assertThat(text).contains("\"value\":[" + printed + "]");
  }

  @Test
  void shouldEscapeNoMoreThanJsonRequires() {
    String value = "\"<>&\u2028é\ud83d\ude00\\u0001\\\"\\\\/\\n\"";
    assertThat(
            client
                .post("/api/v0/modify", "{\"inserts\":[{\"queue\":\"q\",\"value\":" + value + "}]}")
                .text())
        .contains("\"value\":" + value);
  }

  @Test
  void shouldReadParametersByEitherName() throws Exception {
    served.insert("a/x", "t1");
    served.insert("b y", "t2", "t3");
    assertThat(
            json(client.get("/api/v0/queues?matchPrefix=a/&match_exact=b%20y", JSON)).get("queues"))
        .hasSize(2);
    assertThat(json(client.get("/api/v0/queues?matchExact=b+y")).at("/queues/0/numTasks").asInt())
        .isEqualTo(2);
    assertThat(
            json(client.get("/api/v0/queues/stats?matchExact=b+y"))
                .at("/queues/0/numAvailable")
                .asInt())
        .isEqualTo(2);
    assertThat(json(client.get("/api/v0/tasks?queue=b%20y&limit=1")).get("tasks")).hasSize(1);
    assertThat(json(client.get("/api/v0/tasks?taskId=t3&task_id=t1")).get("tasks")).hasSize(2);
    assertThat(client.get("/api/v0/docs?query.namespace=n&query.keyStart=a&query.limit=3").status())
        .isNotIn(404, 405);
  }

  @Test
  void shouldAcceptIdsJoinedByCommas() throws Exception {
    served.insert("q", "t1", "t2", "t3");
    JsonNode tasks = json(client.get("/api/v0/tasks?taskId=t3%2Ct1", JSON)).get("tasks");
    assertThat(tasks.findValuesAsText("id")).containsExactly("t3", "t1");
  }

  @Test
  void shouldAcceptAnIdWithAComma() throws Exception {
    served.insert("q", "t,1");
    assertThat(json(client.get("/api/v0/tasks?taskId=t,1")).get("tasks")).hasSize(1);
  }

  @Test
  void shouldReportTimeAndExtensions() throws Exception {
    JsonNode time = json(client.get("/api/v0/time"));
    assertThat(Long.parseLong(time.get("timeMs").asText()))
        .isCloseTo(System.currentTimeMillis(), org.assertj.core.data.Offset.offset(5_000L));
    assertThat(time.get("features").isTextual()).isTrue();
  }

  @Test
  void shouldReadExtensionFieldsByName() throws Exception {
    served.insert("q", "t1", "t2");
    String request =
        "{\"claimantId\":\"c\",\"queues\":[\"q\"],\"durationMs\":1000,\"limit\":2,\"clientId\":\"MDEyMzQ1Njc4OWFiY2RlZg\","
            + "\"requestNumber\":\"1\",\"ackedBelow\":1}";
    JsonNode claimed = json(client.post("/api/v0/claim", request));
    assertThat(claimed.get("more")).hasSize(1);
    // The same again is answered as before.
    assertThat(json(client.post("/api/v0/claim", request)).at("/task/id"))
        .isEqualTo(claimed.at("/task/id"));
  }

  @Test
  void shouldReportTheLogPosition() {
    RawResponse response = client.post("/api/v0/modify", "{\"inserts\":[{\"queue\":\"q\"}]}");
    assertThat(Long.parseLong(response.headers().get("entroq-position"))).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/api/v0/", "/api/v0/nothing", "/api.EntroQ/Nothing", "/proto.EntroQ/Claim"})
  void shouldNotServeOtherPaths(String path) {
    RawResponse response = client.get(path);
    assertThat(response.status()).isEqualTo(404);
    assertThat(response.headers().get("content-type")).startsWith("text/plain");
    assertThat(response.text().strip()).isEqualTo("Not Found");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v0/claim, POST",
    "GET, /api/v0/modify, POST",
    "POST, /api/v0/tasks, GET",
    "PUT, /api/v0/time, GET",
    "HEAD, /api/v0/time, GET",
    "OPTIONS, /api/v0/claim/wait, POST",
    "GET, /api.EntroQ/Time, POST",
    "POST, /healthz, GET"
  })
  void shouldReportTheAllowedVerb(String verb, String path, String allowed) {
    try (RawHttp other = served.connect()) {
      other.send(verb, path, new byte[0], "Connection: close");
      RawResponse response = verb.equals("HEAD") ? other.receiveHead() : other.receive();
      assertThat(response.status()).isEqualTo(405);
      assertThat(response.headers()).containsEntry("allow", allowed);
      // Of an answer to HEAD the body is left out.
      assertThat(other.isEnded()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1",
        "application/proto",
        "application/connect+json"
      })
  void shouldAcceptOnlyJson(String type) {
    RawResponse response = client.post("/api/v0/claim", "{}", "Content-Type: " + type);
    assertThat(response.status()).isEqualTo(415);
    assertThat(response.text())
        .isEqualTo("Content-Type: expected application/json, got %s\n".formatted(type));
  }

  @Test
  void shouldTakeABodyWithoutATypeForJson() {
    served.insert("q", "t1");
    assertThat(client.post("/api/v0/claim", "{\"claimantId\":\"c\",\"queues\":[\"q\"]}").text())
        .contains("\"id\":\"t1\"");
  }

  @Test
  void shouldSayWhichEncodingItReads() {
    RawResponse response = client.post("/api/v0/claim", "{}", "Content-Encoding: br");
    assertThat(response.status()).isEqualTo(415);
    assertThat(response.text()).startsWith("Content-Encoding: expected gzip");
  }

  @Test
  void shouldRefuseStreamsOverRest() {
    RawResponse response = client.get("/api/v0/tasks/stream?queue=q");
    assertThat(response.status()).isEqualTo(415);
    assertThat(response.text().strip())
        .isEqualTo("stream type server not supported with REST protocol");
  }

  @Test
  void shouldCompressLongResponsesOnRequest() {
    String[] ids = new String[50];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = "t" + i;
    }
    served.insert("q", ids);
    String plain = client.get("/api/v0/tasks?queue=q").text();
    RawResponse packed = client.get("/api/v0/tasks?queue=q", "Accept-Encoding: gzip, deflate, br");
    assertThat(packed.headers()).containsEntry("content-encoding", "gzip");
    assertThat(packed.body().length).isLessThan(plain.length() / 4);
    assertThat(packed.unpacked()).hasSameSizeAs(plain);
    assertThat(client.get("/api/v0/time", "Accept-Encoding: gzip").headers())
        .doesNotContainKey("content-encoding");
  }

  @Test
  void shouldPreserveSpecialCharacters() throws Exception {
    byte[] body =
        "{\"inserts\":[{\"queue\":\"ä/=\\\\ \u2028\",\"id\":\"ü\"}]}"
            .getBytes(StandardCharsets.UTF_8);
    client.send("POST", "/api/v0/modify", body);
    assertThat(json(client.receive()).at("/inserted/0/queue").asText()).isEqualTo("ä/=\\ \u2028");
    assertThat(json(client.get("/api/v0/tasks?queue=%C3%A4/%3D%5C%20%E2%80%A8")).get("tasks"))
        .hasSize(1);
  }

  private static JsonNode json(RawResponse response) throws Exception {
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    return JsonMapper.builder().build().readTree(response.body());
  }
}
