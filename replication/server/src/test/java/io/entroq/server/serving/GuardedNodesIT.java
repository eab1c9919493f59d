package io.entroq.server.serving;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.engine.Closing;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.service.authentication.KeyServer;
import io.entroq.service.authentication.TestIssuer;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.testing.MemberPorts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of a cluster with mesh authorization and the collector. */
@Timeout(180)
class GuardedNodesIT {
  private static final int MEMBERS = 3;
  private static final String OPERATOR = "system:serviceaccount:eqk8s-system:controller";
  private static final String GATEWAY = "system:serviceaccount:payments:gateway";
  private static final String OTHERS = "/payments/leaf/inbox";
  private static final String OVERDUE = "/payments/gateway/gc=1/jobs";
  private static final Pattern DELETED =
      Pattern.compile("(?m)^entroq_gc_deleted_total (\\d+)\\.0$");

  /** More than a step of the collector takes. */
  private static final int TASKS = 250;

  private static final String POLICY =
      """
      {"initialized": true,
       "queues": [{"pattern": "%s", "matchType": "Exact", "allowedCallers": [{"app": "gateway"}]}],
       "namespaces": [],
       "identities": {"%s": {"labels": {"app": "gateway"}}}}
      """
          .formatted(OTHERS, GATEWAY);

  private static final String ADDRESSES =
      MemberPorts.take(MEMBERS).stream()
          .map(port -> "127.0.0.1:" + port)
          .collect(Collectors.joining(","));
  private static final KeyServer KEYS = new KeyServer(TestIssuer.document(TestIssuer.RSA));
  private static final EntroqServer[] NODES = new EntroqServer[MEMBERS];
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private static Path directory;

  @BeforeAll
  static void start() {
    for (int id = 0; id < MEMBERS; id++) {
      start(id, true);
    }
  }

  private static void start(int id, boolean isFirst) {
    Map<String, String> environment = environment(id);
    environment.put("ENTROQ_BOOTSTRAP", Boolean.toString(isFirst));
    NODES[id] =
        EntroqServer.startNode(
            Settings.of(ServerSettings.ofNode(), List.of(), Optional.empty(), environment));
  }

  private static Map<String, String> environment(int id) {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "ENTROQ_ID",
                Integer.toString(id),
                "ENTROQ_MEMBERS",
                ADDRESSES,
                // Long enough for a busy machine.
                "ENTROQ_HEARTBEAT_TIMEOUT",
                "3s",
                "ENTROQ_DATA",
                directory.resolve("member-" + id).toString(),
                "ENTROQ_DURABILITY",
                "os",
                "ENTROQ_HOST",
                "127.0.0.1",
                "ENTROQ_PORT",
                "0",
                "ENTROQ_HTTP_PORT",
                "0"));
    environment.putAll(
        Map.of(
            "ENTROQ_AUTHN",
            "jwt",
            "ENTROQ_AUTH_JWKS_URL",
            KEYS.url().toString(),
            "ENTROQ_AUTH_ISSUER",
            TestIssuer.NAME,
            "ENTROQ_AUTH_AUDIENCE",
            TestIssuer.AUDIENCE,
            "ENTROQ_AUTHZ",
            "mesh",
            "ENTROQ_MESH_UPDATE_SUBJECT",
            OPERATOR));
    return environment;
  }

  @AfterAll
  static void close() {
    Closing.all(NODES);
    KEYS.close();
  }

  /** Waits until one leads and all that are up follow it. */
  private static int awaitLeader() {
    until(
        "there is a leader",
        () ->
            up().stream().filter(GuardedNodesIT::leads).count() == 1
                && up().stream().allMatch(id -> leads(id) || status(id).startsWith("follows ")));
    return up().stream().filter(GuardedNodesIT::leads).findFirst().orElseThrow();
  }

  private static List<Integer> up() {
    return IntStream.range(0, MEMBERS).filter(id -> NODES[id] != null).boxed().toList();
  }

  private static boolean leads(int id) {
    return status(id).startsWith("leads, ");
  }

  private static String status(int id) {
    return NODES[id].status();
  }

  @BeforeEach
  void awaitAll() {
    awaitLeader();
  }

  /**
   * A policy is put to each member, as EntroQ's operator puts it to each server. Until then a
   * member permits less, never more.
   */
  @Test
  void shouldGoByThePolicyOfTheMemberThatIsAsked() {
    for (int put = 0; put < MEMBERS; put++) {
      for (int id = put; id < MEMBERS; id++) {
        assertThat(claim(id, OTHERS)).as("member %d", id).isEqualTo(Status.Code.PERMISSION_DENIED);
      }
      assertThat(put(put, GATEWAY)).isEqualTo(403);
      assertThat(put(put, OPERATOR)).isEqualTo(204);
      for (int id = 0; id <= put; id++) {
        int member = id;
        until("member " + id + " permits it", () -> claim(member, OTHERS) == Status.Code.OK);
      }
    }
  }

  private static Status.Code claim(int id, String queue) {
    try (WireClient client = client(id)) {
      assertThat(new V1(client).tryClaim(GATEWAY + "#1", queue).hasTask()).isFalse();
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private static WireClient client(int id) {
    return new WireClient(NODES[id].port(), TestIssuer.bearerOf(GATEWAY));
  }

  private static int put(int id, String subject) {
    return send(
            id,
            HttpRequest.newBuilder(page(id, "/v1/data/mesh"))
                .PUT(BodyPublishers.ofString(POLICY))
                .header("Authorization", TestIssuer.bearerOf(subject)))
        .statusCode();
  }

  private static URI page(int id, String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(NODES[id].httpPort(), path));
  }

  private static HttpResponse<String> send(int id, HttpRequest.Builder request) {
    try {
      return HTTP.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("member " + id, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The next leader goes on where the last one has ended, and nobody else collects. */
  @Test
  void shouldCollectOnTheLeaderOnly() {
    int first = awaitCollection();
    NODES[first].close();
    NODES[first] = null;
    try {
      assertThat(awaitCollection()).isNotEqualTo(first);
    } finally {
      start(first, false);
    }
  }

  /**
   * Has an overdue queue collected by one leader; again if the leader changed meanwhile.
   *
   * @return the leader
   */
  private static int awaitCollection() {
    while (true) {
      int leader = awaitLeader();
      String term = status(leader);
      Map<Integer, Long> before = deleted();
      insert(up().stream().filter(id -> id != leader).findFirst().orElseThrow());
      until("all are collected", () -> sum(deleted()) == sum(before) + TASKS);
      if (status(leader).equals(term)) {
        before.merge(leader, (long) TASKS, Long::sum);
        assertThat(deleted()).isEqualTo(before);
        return leader;
      }
    }
  }

  private static void insert(int id) {
    ModifyRequest.Builder request = ModifyRequest.newBuilder().setClaimantId(GATEWAY + "#1");
    for (int i = 0; i < TASKS; i++) {
      request.addInserts(V1.data(OVERDUE));
    }
    try (WireClient client = client(id)) {
      new V1(client).modify(request);
    }
  }

  private static long sum(Map<Integer, Long> numbers) {
    return numbers.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many tasks the collectors have deleted, by member. */
  private static Map<Integer, Long> deleted() {
    Map<Integer, Long> deleted = new HashMap<>();
    for (int id : up()) {
      String page = send(id, HttpRequest.newBuilder(page(id, "/metrics"))).body();
      Matcher found = DELETED.matcher(page);
      assertThat(found.find()).as(page).isTrue();
      deleted.put(id, Long.parseLong(found.group(1)));
    }
    return deleted;
  }
}
