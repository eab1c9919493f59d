package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.entroq.codec.wire.published.v1.ActionType;
import io.entroq.codec.wire.published.v1.ModifyDep;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** ErrorJson of the service, as the clients of both protocols read them, contract 1.13.6. */
class HttpErrorsTest {
  private static final String JSON = "Content-Type: application/json";

  /** A version that was never there, and a task that somebody else has. */
  private static final String MODIFY =
      "{\"claimantId\":\"me\",\"deletes\":[{\"id\":\"t1\",\"version\":7,\"queue\":\"q\"}],"
          + "\"changes\":[{\"oldId\":{\"id\":\"t2\",\"version\":1,\"queue\":\"p\"},\"newData\":{\"queue\":\"q\"}}]}";

  @Test
  void shouldReportDependenciesOverRest() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      RawResponse response = fail(served, "/api/v0/modify");
      assertThat(response.status()).isEqualTo(409);
      JsonNode error = JsonMapper.builder().build().readTree(response.body());
      assertThat(error.get("code").asInt()).isEqualTo(10);
      assertThat(error.get("message").asText()).isEqualTo("modification dependency error");
      assertThat(error.get("details"))
          .allMatch(
              detail ->
                  detail.get("@type").asText().equals("type.googleapis.com/api.ModifyDep")
                      && detail.has("type"));
      assertThat(error.at("/details/0").toString())
          .isEqualTo(
              "{\"@type\":\"type.googleapis.com/api.ModifyDep\",\"type\":\"DETAIL\",\"msg\":"
                  + "\"changes[0] claimed by another; deletes[0] missing or mismatched\"}");
      assertThat(error.get("details").findValuesAsText("type"))
          .containsExactlyInAnyOrder("DETAIL", "DELETE", "CLAIM");
      for (JsonNode detail : error.get("details")) {
        if (detail.get("type").asText().equals("DELETE")) {
          assertThat(detail.get("id").toString())
              .isEqualTo("{\"id\":\"t1\",\"version\":7,\"queue\":\"q\"}");
        }
      }
    }
  }

  @Test
  void shouldReportDependenciesOverConnect() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      RawResponse response = fail(served, "/api.EntroQ/Modify");
      assertThat(response.status()).isEqualTo(409);
      assertThat(response.headers()).containsEntry("content-type", "application/json");
      JsonNode error = JsonMapper.builder().build().readTree(response.body());
      assertThat(error.get("code").asText()).isEqualTo("aborted");
      assertThat(error.get("message").asText()).isEqualTo("modification dependency error");
      assertThat(error.get("details")).hasSize(3);
      for (JsonNode detail : error.get("details")) {
        assertThat(detail.get("type").asText()).isEqualTo("api.ModifyDep");
        assertThat(detail.get("value").asText()).doesNotContain("=");
        ModifyDep dependency =
            ModifyDep.parseFrom(Base64.getDecoder().decode(detail.get("value").asText()));
        assertThat(dependency.getType())
            .isIn(ActionType.DETAIL, ActionType.DELETE, ActionType.CLAIM);
      }
    }
  }

  /** There are no trailers that they would have to fit into. */
  @Test
  void shouldReportAllFailedDependencies() throws Exception {
    StringBuilder depends = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      depends
          .append(i == 0 ? "" : ",")
          .append("{\"id\":\"missing, and quite long ")
          .append(i)
          .append("\"}");
    }
    try (HttpQueue served = new HttpQueue()) {
      RawResponse response =
          served.client.post("/api/v0/modify", "{\"depends\":[" + depends + "]}", JSON);
      assertThat(response.status()).isEqualTo(409);
      JsonNode details = JsonMapper.builder().build().readTree(response.body()).get("details");
      assertThat(details).hasSize(1_001);
      assertThat(details.get(0).get("msg").asText()).doesNotContain("would not fit");
    }
  }

  private static RawResponse fail(HttpQueue served, String path) {
    served.insert("p", "t2");
    assertThat(
            served
                .client
                .post(
                    "/api/v0/claim",
                    "{\"claimantId\":\"other\",\"queues\":[\"p\"],\"durationMs\":60000}")
                .text())
        .contains("t2");
    return served.client.post(path, MODIFY, JSON);
  }
}
