package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.TaskId;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.server.cli.Cli;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Who may write and read rules, pause, redrive and ask for positions, on the command line, in Java
 * and over HTTP. Ann may do everything below /shop/, only insert into /mail/outbox, and nothing in
 * /secret.
 */
class RulesPermissionTest {
  private final FakeOpa opa = new FakeOpa(new ExamplePolicy());
  private EntroqServer serving;
  private EntroQ root;

  @BeforeEach
  void start() {
    serving =
        EntroqServer.start(
            Settings.of(
                List.of(),
                Optional.empty(),
                Map.of(
                    "ENTROQ_AUTHZ",
                    "opahttp",
                    "ENTROQ_OPA_URL",
                    opa.url(),
                    "ENTROQ_HOST",
                    "127.0.0.1",
                    "ENTROQ_PORT",
                    "0",
                    "ENTROQ_HTTP_PORT",
                    "0")));
    root = connect("root");
    root.policies().put(QueuePolicy.of("/secret").groups("g"));
    root.policies().put(QueuePolicy.of("/shop/topic").groups("g"));
    root.policies().pause(Policies.Target.queue("/secret"));
    insert("/secret/err", "hidden");
    insert("/shop/q", "open");
    insert("/shop/q/err", "dead");
  }

  @AfterEach
  void stop() {
    root.close();
    serving.close();
    opa.close();
  }

  private EntroQ connect(String user) {
    return EntroQClient.connect(
        ClientConfig.to("127.0.0.1:" + serving.port())
            .token("token-of-" + user)
            .claimant(user + "#1")
            .build());
  }

  private void insert(String queue, String id) {
    root.modify(Modification.insert(Insert.into(queue).withId(id).withAttempt(1, "no"))).orThrow();
  }

  /** Everything that anybody could have changed. */
  private List<Object> all() {
    Set<Policies.Entry> entries = new HashSet<>(root.policies().list(Policies.Query.all()));
    return List.of(entries, root.queues(QueueQuery.all()));
  }

  private Cli run(String user, String... words) {
    List<Object> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("-s", "127.0.0.1:" + serving.port(), "--authz_token", "token-of-" + user));
    return Cli.run(line.toArray());
  }

  private void assertDenied(String... words) {
    List<Object> before = all();
    for (String user : List.of("ann", "nobody")) {
      Cli said = run(user, words);
      assertThat(said.status()).as(String.join(" ", words)).isEqualTo(1);
      assertThat(said.err()).contains("denied");
      assertThat(said.out()).doesNotContain("hidden");
    }
    assertThat(all()).isEqualTo(before);
  }

  @Test
  void shouldDenyGroupsWithoutAllRightsOnTheTopic() {
    assertDenied("group", "add", "-q", "/secret", "h");
    assertDenied("group", "add", "-q", "/mail/outbox", "h");
    assertDenied("group", "rm", "-q", "/secret", "g");
    assertDenied("group", "ls", "-q", "/secret");
    run("ann", "group", "add", "-q", "/shop/topic", "h", "--claimant", "ann#1").assertGood();
    assertThat(run("ann", "group", "ls", "-q", "/shop/topic").assertGood().out())
        .contains("/shop/topic/h");
    run("ann", "group", "rm", "-q", "/shop/topic", "g", "--claimant", "ann#1").assertGood();
  }

  @Test
  void shouldDenyRulesAndPausesOfWhatOthersOwn() {
    assertDenied("policy", "set", "-q", "/secret", "--in-flight", "1");
    assertDenied("policy", "set", "-p", "/", "--in-flight", "1");
    assertDenied("policy", "rm", "-q", "/secret");
    assertDenied("policy", "get", "-q", "/secret");
    assertDenied("policy", "ls");
    assertDenied("limiter", "set", "-n", "api", "--in-flight", "1");
    assertDenied("pause", "-q", "/secret");
    assertDenied("pause", "-p", "/");
    assertDenied("resume", "-q", "/secret");
    assertDenied("position", "hidden");
    assertDenied("redrive", "-q", "/secret");
    assertDenied("redrive", "-q", "/shop/q", "--to", "/secret");
  }

  /** A policy reaches further than its name: limiters, dead queues, groups and members. */
  @Test
  void shouldDenyRulesThatReachWhatOthersOwn() {
    List<Object> before = all();
    try (EntroQ ann = connect("ann")) {
      for (QueuePolicy policy :
          List.of(
              QueuePolicy.of("/shop/q").limiters("/mail/api"),
              QueuePolicy.of("/shop/q").deadQueue("/secret"),
              QueuePolicy.of("/shop/q").expiredQueue("/secret"),
              QueuePolicy.of("/mail/outbox").groups("g"),
              QueuePolicy.of("/public").pool(QueuePolicy.Fairness.ROUND_ROBIN))) {
        assertThatThrownBy(() -> ann.policies().put(policy))
            .isInstanceOf(EntroQException.PermissionDenied.class);
      }
      assertThatThrownBy(() -> ann.policies().list(Policies.Query.all()))
          .isInstanceOf(EntroQException.PermissionDenied.class);
      assertThatThrownBy(() -> ann.position(TaskId.of("open")))
          .isInstanceOf(EntroQException.PermissionDenied.class);
      assertThat(all()).isEqualTo(before);

      ann.policies().put(Limiter.of("/shop/api").inFlight(1));
      ann.policies().put(QueuePolicy.of("/shop/q").limiters("/shop/api").deadQueue("/mail/outbox"));
      ann.policies().put(QueuePolicy.of("/shop/new").groups("g"));
      assertThat(asked()).contains("{\"exact\":\"/shop/new/g\",\"actions\":[\"INSERT\"]}");
      ann.policies().put(QueuePolicy.of("/shop/pool").pool(QueuePolicy.Fairness.ROUND_ROBIN));
      assertThat(asked()).contains("{\"prefix\":\"/shop/pool/\",\"actions\":[\"CLAIM\"]}");
      assertThat(ann.policies().list(Policies.Query.all().startingWith("/shop/"))).hasSize(5);
    }
  }

  private String asked() {
    JsonNode queues = opa.last().body().at("/input/queues");
    return queues.toString();
  }

  @Test
  void shouldDenyTheSameOverHttp() throws Exception {
    List<Object> before = all();
    assertThat(post("ann", "redrive", "{\"from\":\"/secret/err\"}")).isEqualTo(403);
    assertThat(post("ann", "redrive", "{\"from\":\"/shop/q/err\",\"to\":\"/secret\"}"))
        .isEqualTo(403);
    assertThat(post("nobody", "redrive", "{\"from\":\"/shop/q/err\"}")).isEqualTo(403);
    assertThat(post("ann", "pause", "{\"name\":\"/secret\",\"pauseMs\":-1}")).isEqualTo(403);
    assertThat(post("ann", "resume", "{\"name\":\"/secret\"}")).isEqualTo(403);
    assertThat(get("ann", "policies")).isEqualTo(403);
    assertThat(get("ann", "policies/%2Fsecret")).isEqualTo(403);
    assertThat(get("ann", "position?taskId=hidden")).isEqualTo(403);
    assertThat(get("ann", "position?taskId=open&queue=/secret")).isEqualTo(403);
    assertThat(all()).isEqualTo(before);
    assertThat(get("ann", "position?taskId=open&queue=/shop/q")).isEqualTo(200);
    assertThat(post("ann", "redrive", "{\"claimantId\":\"ann#1\",\"from\":\"/shop/q/err\"}"))
        .isEqualTo(200);
    assertThat(root.queues(QueueQuery.startingWith("/shop/q"))).isEqualTo(Map.of("/shop/q", 2L));
  }

  private int post(String user, String path, String body) throws Exception {
    return send(user, path, HttpRequest.newBuilder().POST(BodyPublishers.ofString(body)));
  }

  private int get(String user, String path) throws Exception {
    return send(user, path, HttpRequest.newBuilder());
  }

  private int send(String user, String path, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                request
                    .uri(
                        URI.create(
                            "http://127.0.0.1:" + serving.httpPort() + "/api/entroq/" + path))
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer token-of-" + user)
                    .build(),
                BodyHandlers.ofString());
    return response.statusCode();
  }
}
