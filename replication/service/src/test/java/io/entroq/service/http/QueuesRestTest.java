package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.TaskQuery;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.redrive.RedriveService;
import io.entroq.service.redrive.Redrives;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Positions, redrives and statistics over REST. */
class QueuesRestTest {
  private static final String JSON = "Content-Type: application/json";
  private static final String POSITION = "/api/entroq/position";
  private static final String REDRIVE = "/api/entroq/redrive";

  private static RawResponse send(
      HttpQueue served, String verb, String target, String body, String... headers) {
    served.client.send(verb, target, body.getBytes(StandardCharsets.UTF_8), headers);
    return served.client.receive();
  }

  private static JsonNode json(RawResponse response) throws Exception {
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    return new JsonMapper().readTree(response.text());
  }

  private static void assertRefused(RawResponse response, int status, String why) {
    assertThat(response.status()).as(response.text()).isEqualTo(status);
    assertThat(response.text()).contains(why);
  }

  @Test
  void shouldTellPositions() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      served.queue.policies().put(QueuePolicy.of("q").order(QueuePolicy.Order.OLDEST));
      served.insert("q", "a", "b");
      JsonNode second = json(send(served, "GET", POSITION + "?taskId=b", ""));
      assertThat(second.get("exists").asBoolean()).isTrue();
      assertThat(second.get("ready").asBoolean()).isTrue();
      assertThat(second.get("ahead").asInt()).isEqualTo(1);
      JsonNode first = json(send(served, "GET", POSITION + "?taskId=a&queue=q", ""));
      assertThat(first.get("ahead").asInt()).isZero();
      assertThat(json(send(served, "GET", POSITION + "?taskId=a&queue=other", ""))).isEmpty();
      assertRefused(send(served, "GET", POSITION + "?tskId=a", ""), 400, "tskId");
      assertRefused(send(served, "POST", POSITION, "{}", JSON), 405, "");
    }
  }

  @Test
  void shouldShowStatisticsOfQueuesWithRules() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      served.insert("q", "a", "b");
      json(
          send(
              served,
              "POST",
              "/api/v0/claim",
              "{\"claimantId\":\"c\",\"queues\":[\"q\"],\"durationMs\":\"60000\"}",
              JSON));
      served.queue.pause("q");
      JsonNode stats = json(send(served, "GET", "/api/v0/queues/stats?matchExact=q", ""));
      JsonNode one = stats.at("/queues/0");
      assertThat(one.get("inFlight").asText()).isEqualTo("1");
      assertThat(one.get("pausedUntilMs").asLong()).isPositive();
      assertThat(one.has("claimable")).isFalse();
    }
  }

  @Test
  void shouldRedrive() throws Exception {
    try (HttpQueue served = redriving(List.of())) {
      quarantine(served, "q/err");
      JsonNode counted =
          json(send(served, "POST", REDRIVE, "{\"from\":\"q/err\",\"dryRun\":true}", JSON));
      assertThat(counted.get("matched").asText()).isEqualTo("1");
      String other = "{\"from\":\"q/err\",\"dryRun\":true,\"shape\":\"\"}";
      assertThat(json(send(served, "POST", REDRIVE, other, JSON)).get("examined").asText())
          .isEqualTo("1");
      assertThat(json(send(served, "POST", REDRIVE, other, JSON)).has("matched")).isFalse();
      String same = other.replace("\"shape\":\"\"", "\"shape\":\"broken\"");
      assertThat(json(send(served, "POST", REDRIVE, same, JSON)).get("matched").asText())
          .isEqualTo("1");
      JsonNode moved = json(send(served, "POST", REDRIVE, "{\"from\":\"q/err\"}", JSON));
      assertThat(moved.get("moved").asText()).isEqualTo("1");
      assertThat(moved.get("complete").asBoolean()).isTrue();
      assertThat(served.queue.tasks(TaskQuery.in("q"))).hasSize(1);
      assertRefused(send(served, "POST", REDRIVE, "{\"frm\":\"q\"}", JSON), 400, "frm");
      assertRefused(send(served, "POST", REDRIVE, "{}", JSON), 400, "queue must not be empty");
      assertRefused(send(served, "GET", REDRIVE, ""), 405, "");
    }
  }

  @Test
  void shouldNeedThePermissionsOfTheCallsItMakes() throws Exception {
    String ann = "Authorization: Bearer token-of-ann";
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        Authorization authorization =
            Authorization.of(
                new AuthorizationConfig(
                    AuthorizationConfig.Mode.OPAHTTP,
                    opa.url(),
                    AuthorizationConfig.PATH_DEFAULT,
                    AuthorizationConfig.TIMEOUT_DEFAULT,
                    true,
                    false));
        HttpQueue served = redriving(List.of(authorization))) {
      quarantine(served, "/shop/a/err");
      quarantine(served, "/secret/err");
      String mine = "{\"claimantId\":\"ann#1\",\"from\":\"/shop/a/err\"%s}";
      assertRefused(
          send(served, "POST", REDRIVE, "{\"from\":\"/secret/err\"}", JSON, ann), 403, "denied");
      assertRefused(
          send(served, "POST", REDRIVE, mine.formatted(",\"to\":\"/secret\""), JSON, ann),
          403,
          "denied");
      assertRefused(send(served, "POST", REDRIVE, mine.formatted(""), JSON), 403, "denied");
      JsonNode moved = json(send(served, "POST", REDRIVE, mine.formatted(""), JSON, ann));
      assertThat(moved.get("moved").asText()).isEqualTo("1");
      assertThat(served.queue.tasks(TaskQuery.in("/secret/err"))).hasSize(1);
    }
  }

  private static HttpQueue redriving(List<Authorization> authorizations) {
    return new HttpQueue(
        HttpServerConfig.builder(0),
        service ->
            new RedriveService(
                authorizations.isEmpty() ? service : authorizations.get(0).guard(service),
                new Redrives()));
  }

  private static void quarantine(HttpQueue served, String name) {
    served.queue.modify(Modification.insert(Insert.into(name).withAttempt(5, "broken"))).orThrow();
  }
}
