package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client of protocol 1 sees of protocol 2, whether it declares 1 or nothing (3.14). */
class OlderProtocolTest {
  private ServedTransports undeclared;
  private ServedTransports one;

  @BeforeEach
  void open() throws IOException {
    undeclared = new ServedTransports();
    one = undeclared.declaring("1");
  }

  @AfterEach
  void close() {
    one.close();
    undeclared.close();
  }

  private static JsonNode post(ServedTransports doors, String path, String json)
      throws IOException {
    HttpResponse<byte[]> response =
        doors.post("/api/v0/" + path, "application/json", json.getBytes(StandardCharsets.UTF_8));
    String text = new String(response.body(), StandardCharsets.UTF_8);
    assertThat(response.statusCode()).as(text).isEqualTo(200);
    return JsonMapper.builder().build().readTree(text);
  }

  /** Without a protocol, what is zero is left out. */
  private static long number(JsonNode item, String name) {
    return item.path(name).asLong();
  }

  @Test
  void shouldHonourAnInstantAndTolerateADuration() throws IOException {
    for (ServedTransports doors : List.of(undeclared, one)) {
      long atMs = System.currentTimeMillis() + 60_000;
      JsonNode inserted =
          post(
                  doors,
                  "modify",
                  ("{\"claimantId\":\"me\",\"inserts\":[{\"queue\":\"q\",\"atMs\":\"%d\"},"
                          + "{\"queue\":\"q\",\"byMs\":\"5000\"},{\"queue\":\"q\",\"byMs\":5000}]}")
                      .formatted(atMs))
              .get("inserted");
      assertThat(number(inserted.get(0), "atMs")).isEqualTo(atMs);
      for (int i = 1; i <= 2; i++) {
        JsonNode task = inserted.get(i);
        assertThat(number(task, "atMs") - number(task, "modifiedMs")).isEqualTo(5_000);
        assertThat(task.get("atMs").isTextual()).as("%s", task).isTrue();
      }
      assertThat(inserted.findValuesAsText("claimantId")).containsExactly("me", "me", "me");
    }
  }

  @Test
  void shouldAnswerWithSetsThatBeginAtVersionZero() throws IOException {
    for (ServedTransports doors : List.of(undeclared, one)) {
      String namespace = doors == one ? "one" : "none";
      String claim =
          "{\"claimQuery\":{\"namespace\":\"%s\",\"key\":\"%s\",\"claimant\":\"me\",\"durationMs\":\"60000\"}}";
      JsonNode inserted =
          post(
                  doors,
                  "modify",
                  "{\"docInserts\":[{\"namespace\":\"%s\",\"key\":\"k\"},{\"namespace\":\"%s\",\"key\":\"k\",\"secondaryKey\":\"s\"}]}"
                      .formatted(namespace, namespace))
              .at("/insertedDocs");
      assertThat(inserted).hasSize(2).allMatch(doc -> number(doc, "version") == 0);
      JsonNode claimed = post(doors, "docs/claim", claim.formatted(namespace, "k"));
      assertThat(claimed.get("docs")).hasSize(2).allMatch(doc -> number(doc, "version") == 1);
      assertThat(number(claimed.at("/sets/0"), "len")).isEqualTo(2);
      assertThat(number(claimed.at("/sets/0"), "version")).isEqualTo(1);
      // A set without docs is locked, too.
      JsonNode empty = post(doors, "docs/claim", claim.formatted(namespace, "unwritten"));
      assertThat(number(empty.at("/sets/0"), "version")).isEqualTo(1);
      assertThat(empty.at("/sets/0/claimant").asText()).isEqualTo("me");
    }
  }

  /** A name or a number: who knows modes at all declares protocol 2. */
  @Test
  void shouldReadAModeByNameOrNumber() throws IOException {
    try (ServedTransports two = undeclared.declaring("2")) {
      post(two, "modify", "{\"inserts\":[{\"queue\":\"q\",\"id\":\"t\"}]}");
      int version = 0;
      for (String mode : List.of("\"CHANGE_LEASE\"", "2")) {
        JsonNode changed =
            post(
                    two,
                    "modify",
                    ("{\"changes\":[{\"oldId\":{\"id\":\"t\",\"version\":%d,\"queue\":\"q\"},"
                            + "\"newData\":{\"byMs\":\"-1\"},\"mode\":%s}]}")
                        .formatted(version++, mode))
                .at("/changed/0");
        assertThat(number(changed, "version")).isEqualTo(version);
        assertThat(changed.get("queue").asText()).isEqualTo("q");
      }
      for (String mode : List.of("\"CHANGE_TAKE_BACK\"", "100")) {
        JsonNode claimed =
            post(two, "claim", "{\"claimantId\":\"other\",\"queues\":[\"q\"]}").get("task");
        assertThat(number(claimed, "version")).isEqualTo(++version);
        JsonNode taken =
            post(
                    two,
                    "modify",
                    ("{\"claimantId\":\"me\",\"changes\":[{\"oldId\":{\"id\":\"t\",\"version\":%d,\"queue\":\"q\"},"
                            + "\"newData\":{\"atMs\":\"-5\"},\"mode\":%s}]}")
                        .formatted(version++, mode))
                .at("/changed/0");
        assertThat(number(taken, "version")).isEqualTo(version);
        assertThat(number(taken, "atMs")).isEqualTo(number(taken, "modifiedMs"));
        assertThat(taken.get("claimantId").asText()).isEmpty();
      }
    }
  }
}
