package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.entroq.api.Policies;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Policies over REST. */
class PolicyRestTest {
  private static final String ALL = "/api/entroq/policies";
  private static final String JSON = "Content-Type: application/json";
  private static final String ANN = "Authorization: Bearer token-of-ann";

  private static RawResponse send(
      HttpQueue served, String verb, String target, String body, String... headers) {
    served.client.send(verb, target, body.getBytes(StandardCharsets.UTF_8), headers);
    RawResponse response = served.client.receive();
    assertThat(response.headers()).containsEntry("entroq-protocol", "1,2");
    return response;
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
  void shouldPutReadListAndDelete() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      String rules = "{\"rateLimit\":\"100\",\"ratePeriodMs\":\"1000\",\"rateBurst\":\"1\"}";
      JsonNode put = json(send(served, "PUT", ALL + "/in%2Fa+%C3%A9", rules, JSON));
      assertThat(put.at("/policy/name").asText()).isEqualTo("in/a+é");
      assertThat(put.at("/version").asInt()).isEqualTo(1);
      // A slash may stand for itself, and the kind separates entries of one name.
      json(send(served, "PUT", ALL + "/in/a+%C3%A9?kind=prefix", "{\"inFlightMax\":3}", JSON));
      json(send(served, "PUT", ALL + "/api?kind=limiter", rules, JSON));
      assertThat(
              json(send(served, "GET", ALL + "/in/a+%C3%A9", "")).at("/policy/rateLimit").asInt())
          .isEqualTo(100);
      assertThat(
              json(send(served, "GET", ALL + "/in/a+%C3%A9?kind=prefix", ""))
                  .at("/policy/inFlightMax")
                  .asInt())
          .isEqualTo(3);
      assertThat(json(send(served, "GET", ALL, "")).get("policies")).hasSize(3);
      assertThat(json(send(served, "GET", ALL + "?prefix=in/&kind=queue", "")).get("policies"))
          .hasSize(1);
      assertRefused(
          send(served, "DELETE", ALL + "/api?kind=limiter&expectedVersion=7", ""), 409, "");
      assertThat(json(send(served, "DELETE", ALL + "/api?kind=limiter&expectedVersion=1", "")))
          .isEmpty();
      assertRefused(send(served, "GET", ALL + "/api?kind=limiter", ""), 404, "no such policy");
      assertRefused(send(served, "DELETE", ALL + "/api?kind=limiter", ""), 409, "");
    }
  }

  @Test
  void shouldPauseAndResume() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      served.insert("q", "a");
      String claim = "{\"claimantId\":\"c\",\"queues\":[\"q\"]}";
      JsonNode paused =
          json(send(served, "POST", "/api/entroq/pause", "{\"name\":\"q\",\"pauseMs\":-1}", JSON));
      assertThat(paused.at("/policy/name").asText()).isEqualTo("q");
      assertThat(paused.has("pausedUntilMs")).isTrue();
      assertThat(json(send(served, "POST", "/api/v0/claim", claim, JSON))).isEmpty();
      json(send(served, "POST", "/api/entroq/resume", "{\"name\":\"q\"}", JSON));
      // It is not paused any more.
      json(send(served, "POST", "/api/entroq/resume", "{\"name\":\"q\"}", JSON));
      assertThat(json(send(served, "POST", "/api/v0/claim", claim, JSON)).has("task")).isTrue();
      json(
          send(
              served,
              "POST",
              "/api/entroq/pause?kind=limiter",
              "{\"name\":\"l\",\"pauseMs\":9}",
              JSON));
    }
  }

  @Test
  void shouldBeStrict() {
    try (HttpQueue served = new HttpQueue()) {
      String one = ALL + "/q";
      assertRefused(send(served, "PUT", one, "{\"rte\":1}", JSON), 400, "rte");
      assertRefused(send(served, "PUT", one, "", JSON), 400, "empty");
      assertRefused(send(served, "PUT", one, "{\"name\":\"x\"}", JSON), 400, "name");
      assertRefused(send(served, "PUT", one, "{\"kind\":\"POLICY_LIMITER\"}", JSON), 400, "kind");
      assertRefused(send(served, "PUT", one + "?knd=queue", "{}", JSON), 400, "knd");
      assertRefused(send(served, "PUT", one + "?kind=x", "{}", JSON), 400, "limiter");
      assertRefused(send(served, "PUT", one, "{}", "Content-Type: text/plain"), 415, "json");
      assertRefused(send(served, "PUT", ALL + "/", "{}", JSON), 400, "name of a policy");
      assertRefused(send(served, "PUT", ALL + "/%ff", "{}", JSON), 400, "malformed");
      assertRefused(send(served, "PUT", ALL + "/" + "x".repeat(1025), "{}", JSON), 400, "name");
      assertRefused(send(served, "GET", ALL + "?limit=x", ""), 400, "limit");
      assertRefused(send(served, "GET", ALL + "?kind=queue&kind=queue", ""), 400, "once");
      assertRefused(send(served, "POST", one, "{}", JSON), 405, "");
      assertRefused(send(served, "PUT", ALL, "{}", JSON), 405, "");
      String pause = "/api/entroq/pause";
      assertRefused(send(served, "POST", pause, "{\"name\":\"q\"}", JSON), 400, "pauseMs");
      assertRefused(send(served, "POST", pause, "{\"pauseMs\":1}", JSON), 400, "name");
      assertRefused(
          send(served, "POST", "/api/entroq/resume", "{\"name\":\"q\",\"pauseMs\":1}", JSON),
          400,
          "pauseMs");
    }
  }

  @Test
  void shouldDenyAsOverGrpc() throws Exception {
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
        HttpQueue served = new HttpQueue(HttpServerConfig.builder(0), authorization::guard)) {
      String own = "?claimantId=ann%231";
      json(send(served, "PUT", ALL + "/%2Fshop%2Forders" + own, "{}", JSON, ANN));
      assertThat(opa.last().body().at("/input/queues")).hasSize(5);
      assertThat(opa.last().body().at("/input/queues/0/exact").asText()).isEqualTo("/shop/orders");
      json(send(served, "GET", ALL + "/%2Fshop%2Forders", "", ANN));
      String denied = "denied";
      // He may insert there, and nothing else.
      String mail = ALL + "/%2Fmail%2Foutbox";
      assertRefused(send(served, "PUT", mail + own, "{}", JSON, ANN), 403, denied);
      assertRefused(send(served, "GET", mail, "", ANN), 403, denied);
      assertRefused(send(served, "DELETE", mail + own, "", ANN), 403, denied);
      assertRefused(send(served, "GET", ALL, "", ANN), 403, denied);
      assertRefused(
          send(served, "PUT", ALL + "/%2Fshop%2Fa" + own, "{\"limiters\":[\"api\"]}", JSON, ANN),
          403,
          denied);
      for (String verb : new String[] {"pause", "resume"}) {
        String body =
            "{\"name\":\"/mail/outbox\"" + (verb.equals("pause") ? ",\"pauseMs\":1}" : "}");
        assertRefused(
            send(served, "POST", "/api/entroq/" + verb + own, body, JSON, ANN), 403, denied);
      }
      assertThat(served.queue.policyEntries(Policies.Query.all())).hasSize(1);
    }
  }
}
