package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The requests of EntroQ's Python client 0.15.0 in the order and with the bytes that it sends, and
 * what it reads from the answers. It looks for its protocol in the first one.
 */
class PythonClientTest {
  private static final String HEADERS =
      "Host: localhost:9100\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\n"
          + "Connection: keep-alive\r\nUser-Agent: python-httpx/0.28.1\r\nentroq-protocol: 2\r\n";

  private final HttpQueue served = new HttpQueue();
  private final RawHttp client = served.client;

  @AfterEach
  void close() {
    served.close();
  }

  private RawResponse get(String target) {
    client.write("GET " + target + " HTTP/1.1\r\n" + HEADERS + "\r\n");
    return client.receive();
  }

  /** The client sends the body by itself. */
  private RawResponse post(String target, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    client.write(
        "POST %s HTTP/1.1\r\n%sContent-Length: %d\r\nContent-Type: application/json\r\n\r\n"
            .formatted(target, HEADERS, body.length));
    client.write(body);
    return client.receive();
  }

  /** The client sends all lists. */
  private RawResponse modify(String list, String item) {
    StringBuilder json = new StringBuilder("{\"claimantId\":\"w1\"");
    for (String name :
        new String[] {
          "inserts",
          "changes",
          "deletes",
          "depends",
          "docInserts",
          "docChanges",
          "docDeletes",
          "docDepends"
        }) {
      json.append(",\"").append(name).append("\":[");
      json.append(name.equals(list) ? item : "").append(']');
    }
    return post("/api/v0/modify", json.append('}').toString());
  }

  private static JsonNode json(int status, RawResponse response) throws IOException {
    assertThat(response.status()).as(response.text()).isEqualTo(status);
    return JsonMapper.builder().build().readTree(response.body());
  }

  private RawResponse claim(String path, String claimant) {
    return post(
        path,
        "{\"claimantId\":\"%s\",\"queues\":[\"q\"],\"durationMs\":\"30000\",\"pollMs\":\"0\"}"
            .formatted(claimant));
  }

  private static long leaseMs(JsonNode item) {
    return item.get("atMs").asLong() - item.get("modifiedMs").asLong();
  }

  @Test
  void shouldFindItsProtocolBeforeAnythingElse() {
    for (String target : new String[] {"/api/v0/time", "/api/v0/queues", "/nothing"}) {
      assertThat(get(target).headers()).containsEntry("entroq-protocol", "1,2");
    }
    // Also before it declares one.
    assertThat(client.get("/api/v0/time").headers()).containsEntry("entroq-protocol", "1,2");
  }

  @Test
  void shouldWorkOnATask() throws Exception {
    json(200, get("/api/v0/time"));
    JsonNode inserted =
        json(
            200,
            modify(
                "inserts",
                "{\"queue\":\"q\",\"value\":{\"x\":1}},"
                    + "{\"queue\":\"q\",\"byMs\":60000,\"id\":\"later\"}"));
    assertThat(inserted.at("/inserted/0/version").asInt()).isZero();
    assertThat(inserted.at("/inserted/0/claimantId").asText()).isEmpty();
    assertThat(leaseMs(inserted.at("/inserted/0"))).isZero();
    assertThat(inserted.at("/inserted/1/claimantId").asText()).isEqualTo("w1");
    assertThat(leaseMs(inserted.at("/inserted/1"))).isEqualTo(60_000);
    assertThat(inserted.get("changedDocs")).isEmpty();

    JsonNode task = json(200, claim("/api/v0/claim", "w1")).get("task");
    String id = task.get("id").asText();
    assertThat(leaseMs(task)).isEqualTo(30_000);
    // It looks at the value, not for the member.
    assertThat(claim("/api/v0/claim", "w2").text()).isEqualTo("{\"task\":null}");

    JsonNode renewed =
        json(
                200,
                modify(
                    "changes",
                    "{\"oldId\":{\"id\":\"%s\",\"version\":1,\"queue\":\"q\"},\"newData\":{\"byMs\":120000},\"mode\":\"CHANGE_LEASE\"}"
                        .formatted(id)))
            .at("/changed/0");
    assertThat(renewed.get("version").asInt()).isEqualTo(2);
    assertThat(leaseMs(renewed)).isEqualTo(120_000);
    assertThat(renewed.get("value").toString()).isEqualTo("{\"x\":1}");
    assertThat(renewed.get("claims").asInt()).isEqualTo(1);

    JsonNode moved =
        json(
                200,
                modify(
                    "changes",
                    ("{\"oldId\":{\"id\":\"%s\",\"version\":2,\"queue\":\"q\"},\"newData\":{\"queue\":\"r\",\"byMs\":0,"
                            + "\"value\":null,\"attempt\":1,\"err\":\"\"},\"mode\":\"CHANGE_RESET_CLAIMS\"}")
                        .formatted(id)))
            .at("/changed/0");
    assertThat(moved.get("claims").asInt()).isZero();
    assertThat(moved.get("claimantId").asText()).isEmpty();
    assertThat(leaseMs(moved)).isZero();
    json(200, modify("deletes", "{\"id\":\"%s\",\"version\":3,\"queue\":\"r\"}".formatted(id)));
    assertThat(json(200, get("/api/v0/tasks?queue=r")).get("tasks")).isEmpty();
  }

  @Test
  void shouldClaimSetsWithItsTask() throws Exception {
    served.insert("q", "t");
    JsonNode task = json(200, claim("/api/v0/claim/wait", "w1")).get("task");
    json(200, modify("docInserts", "{\"namespace\":\"ns\",\"key\":\"a\",\"content\":{\"v\":1}}"));
    String claim =
        "{\"claimQuery\":{\"claimant\":\"w1\",\"sets\":[{\"set\":{\"namespace\":\"ns\",\"key\":\"b\"},"
            + "\"omitMembers\":false},{\"set\":{\"namespace\":\"ns\",\"key\":\"a\"},\"omitMembers\":false}],"
            + "\"taskToMatch\":{\"id\":\"t\",\"version\":%d,\"queue\":\"q\"}}}";
    JsonNode claimed = json(200, post("/api/v0/docs/claim", claim.formatted(1)));
    assertThat(claimed.get("sets"))
        .extracting(set -> set.get("key").asText() + set.get("version") + set.get("len"))
        .containsExactly("b10", "a11");
    assertThat(claimed.get("sets")).allMatch(set -> set.get("atMs").equals(task.get("atMs")));
    assertThat(claimed.at("/docs/0/content/v").asInt()).isEqualTo(1);

    JsonNode missing = json(409, post("/api/v0/docs/claim", claim.formatted(7)));
    assertThat(missing.get("message").asText())
        .isEqualTo("claim docs: doc claim depends on a missing task");
    assertThat(missing.at("/details/1/type").asText()).isEqualTo("DEPEND");
    assertThat(missing.at("/details/1/id/id").asText()).isEqualTo("t");

    JsonNode released =
        json(
                200,
                modify(
                    "docChanges",
                    "{\"oldId\":{\"namespace\":\"ns\",\"key\":\"b\",\"version\":1},\"newData\":{\"byMs\":0},\"mode\":\"CHANGE_LEASE\"}"))
            .at("/changedDocs/0");
    assertThat(released.get("id").asText()).isEmpty();
    assertThat(released.get("version").asInt()).isEqualTo(2);
    assertThat(released.get("claimant").asText()).isEmpty();
    assertThat(json(200, get("/api/v0/docs?query.namespace=ns&query.keyExact=a")).get("docs"))
        .hasSize(1);
  }

  @Test
  void shouldReadWhyItWasRefused() throws Exception {
    JsonNode empty = json(400, modify("", ""));
    assertThat(empty.get("message").asText()).isEqualTo("modify: nothing to do");
    json(
        200,
        post(
            "/api/v0/docs/claim",
            "{\"claimQuery\":{\"claimant\":\"w2\",\"sets\":[{\"set\":{\"namespace\":\"ns\",\"key\":\"a\"},"
                + "\"omitMembers\":true}],\"durationMs\":30000}}"));
    JsonNode held =
        json(
            409,
            modify(
                "docChanges",
                "{\"oldId\":{\"namespace\":\"ns\",\"key\":\"a\",\"version\":1},\"newData\":{\"byMs\":5000},\"mode\":\"CHANGE_LEASE\"}"));
    assertThat(held.get("code").asInt()).isEqualTo(10);
    assertThat(held.at("/details/0/type").asText()).isEqualTo("DETAIL");
    assertThat(held.at("/details/0/msg").asText()).isNotEmpty();
    assertThat(held.at("/details/1/type").asText()).isEqualTo("CLAIM");
    assertThat(held.at("/details/1/docId").has("id")).isFalse();
    assertThat(held.at("/details/1/docId/key").asText()).isEqualTo("a");
    assertThat(held.at("/details/1").has("id")).isFalse();
    // The version that it would need.
    JsonNode stale =
        json(
            409,
            post(
                "/api/v0/modify",
                "{\"claimantId\":\"w2\",\"docChanges\":[{\"oldId\":{\"namespace\":\"ns\",\"key\":\"a\",\"version\":99},"
                    + "\"newData\":{\"byMs\":5000},\"mode\":\"CHANGE_LEASE\"}]}"));
    assertThat(stale.at("/details/1/type").asText()).isEqualTo("CHANGE");
    assertThat(stale.at("/details/1/docId/version").asInt()).isEqualTo(1);
  }
}
