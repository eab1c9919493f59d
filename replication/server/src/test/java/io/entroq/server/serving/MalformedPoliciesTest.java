package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.TaskQuery;
import io.entroq.codec.wire.edge.Fair;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.published.queues.RedriveRequest;
import io.entroq.codec.wire.published.queues.RedriveResponse;
import io.entroq.server.cli.Cli;
import io.entroq.server.settings.Settings;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.protojson.JsonWriter;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every edge of a server says to policies that cannot be, and that it changes nothing. */
class MalformedPoliciesTest {
  private static final String LONG = "x".repeat(1_025);

  private static final EntroqServer SERVER =
      EntroqServer.start(
          Settings.of(
              List.of(),
              Optional.empty(),
              Map.of(
                  "ENTROQ_HOST", "127.0.0.1",
                  "ENTROQ_PORT", "0",
                  "ENTROQ_HTTP_PORT", "0",
                  "ENTROQ_POLICIES_MAX", "3")));

  private static final EntroQ QUEUE = EntroQ.connect("localhost:" + SERVER.port());

  /** A policy as each edge may say it. */
  enum Case {
    NO_STARTS(
        of("q").setRatePeriodMs(1_000).setRateBurst(1),
        () -> QueuePolicy.of("q").rate(0, Duration.ofSeconds(1)),
        "--rate",
        "0/1s"),
    NO_PERIOD(
        of("q").setRateLimit(1).setRateBurst(1),
        () -> QueuePolicy.of("q").rate(1, Duration.ZERO),
        "--rate",
        "1/0s"),
    OVERFLOW(
        of("q").setRateLimit(Long.MAX_VALUE).setRatePeriodMs(Long.MAX_VALUE).setRateBurst(1),
        () -> QueuePolicy.of("q").rate(Integer.MAX_VALUE, Duration.ofDays(100_000)),
        "--rate",
        "9223372036854775807/1s"),
    NEGATIVE(
        of("q").setInFlightMax(-1), () -> QueuePolicy.of("q").inFlight(-1), "--in-flight", "-1"),
    LONG_NAME(of(LONG).setInFlightMax(1), () -> QueuePolicy.of(LONG).inFlight(1)),
    OWN_DEAD_QUEUE(
        of("q").setDeadQueue("q").setAttemptsMax(1),
        () -> QueuePolicy.of("q").attempts(1).deadQueue("q"),
        "--attempts",
        "1",
        "--dead-queue",
        "q"),
    CIRCLE(
        of("q").setDeadQueue("a").setAttemptsMax(1),
        () -> QueuePolicy.of("q").attempts(1).deadQueue("a"),
        "--attempts",
        "1",
        "--dead-queue",
        "a"),
    POOL_OF_A_PREFIX(
        ofPrefix("q/").setFair(Fair.FAIR_ROUND_ROBIN),
        () -> QueuePolicy.prefix("q/").pool(QueuePolicy.Fairness.ROUND_ROBIN),
        "--pool",
        "round-robin"),
    TOPIC_OF_A_PREFIX(
        ofPrefix("q/").addGroups("a"), () -> QueuePolicy.prefix("q/").groups("a"), "--group", "a"),
    POOL_OF_DEPTH_FOUR(
        of("q").setFair(Fair.FAIR_ROUND_ROBIN).setPoolDepth(4),
        () ->
            QueuePolicy.of("q")
                .pool(QueuePolicy.Pool.of(QueuePolicy.Fairness.ROUND_ROBIN).depth(4)),
        "--pool",
        "round-robin",
        "--pool-depth",
        "4"),
    // The pool p has three levels already.
    POOL_TOO_DEEP(
        of("p/x/y/z").setFair(Fair.FAIR_ROUND_ROBIN),
        () -> QueuePolicy.of("p/x/y/z").pool(QueuePolicy.Fairness.ROUND_ROBIN),
        "--pool",
        "round-robin"),
    WEIGHT(of("q").setWeight(1_025), () -> QueuePolicy.of("q").weight(1_025), "--weight", "1025"),
    RANK(of("q").setRank(-1), () -> QueuePolicy.of("q").rank(-1), "--rank", "-1"),
    SLASH_IN_A_GROUP(
        of("q").addGroups("a/b"), () -> QueuePolicy.of("q").groups("a/b"), "--group", "a/b"),
    NO_GROUP(of("q").addGroups(""), () -> QueuePolicy.of("q").groups(""), "--group", ""),
    ERR_AS_A_GROUP(
        of("q").addGroups("err"), () -> QueuePolicy.of("q").groups("err"), "--group", "err"),
    GROUP_TWICE(
        of("q").addGroups("a").addGroups("a"),
        () -> QueuePolicy.of("q").groups("a", "a"),
        "--group",
        "a",
        "--group",
        "a"),
    TOO_MANY_GROUPS(
        of("q").addAllGroups(groups(101)),
        () -> QueuePolicy.of("q").groups(groups(101).toArray(String[]::new)),
        groups(101).stream().map("--group="::concat).toArray(String[]::new)),
    TOPIC_AND_POOL(
        of("q").setFair(Fair.FAIR_ROUND_ROBIN).addGroups("a"),
        () -> QueuePolicy.of("q").pool(QueuePolicy.Fairness.ROUND_ROBIN).groups("a"),
        "--pool",
        "round-robin",
        "--group",
        "a"),
    ONE_TOO_MANY(
        of("q").setInFlightMax(1), () -> QueuePolicy.of("q").inFlight(1), "--in-flight", "1");

    private final Policy policy;
    private final Supplier<QueuePolicy> java;
    private final List<String> command;

    Case(Policy.Builder policy, Supplier<QueuePolicy> java, String... command) {
      this.policy = policy.build();
      this.java = java;
      this.command = List.of(command);
    }

    private static Policy.Builder of(String name) {
      return Policy.newBuilder().setName(name);
    }

    private static Policy.Builder ofPrefix(String prefix) {
      return of(prefix).setKind(PolicyKind.POLICY_PREFIX);
    }

    private static List<String> groups(int count) {
      return IntStream.range(0, count).mapToObj(i -> "g" + i).toList();
    }

    private boolean isOfAPrefix() {
      return policy.getKind() == PolicyKind.POLICY_PREFIX;
    }

    private boolean isForLackOfRoom() {
      return this == ONE_TOO_MANY;
    }
  }

  @AfterAll
  static void close() {
    QUEUE.close();
    SERVER.close();
  }

  /** Two policies, or as many as may be if there is to be no room; a leads to q, p is a pool. */
  private static Set<Policies.Entry> prepare(Case malformed) {
    Policies policies = QUEUE.policies();
    policies.list(Policies.Query.all()).forEach(entry -> policies.delete(entry.target()));
    policies.put(QueuePolicy.of("a").attempts(1).deadQueue("q"));
    policies.put(
        QueuePolicy.of("p").pool(QueuePolicy.Pool.of(QueuePolicy.Fairness.ROUND_ROBIN).depth(3)));
    if (malformed.isForLackOfRoom()) {
      policies.put(QueuePolicy.prefix("c/").inFlight(1));
    }
    return entries();
  }

  private static Set<Policies.Entry> entries() {
    return new HashSet<>(QUEUE.policyEntries(Policies.Query.all()));
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseAtEveryEdgeAndChangeNothing(Case malformed) throws Exception {
    Set<Policies.Entry> before = prepare(malformed);
    boolean isFull = malformed.isForLackOfRoom();

    assertThatThrownBy(() -> QUEUE.policies().put(malformed.java.get()))
        .isInstanceOf(
            isFull
                ? EntroQException.ResourceExhausted.class
                : EntroQException.InvalidArgument.class);

    ModifyRequest modify = ModifyRequest.newBuilder().addPolicyPuts(malformed.policy).build();
    try (WireClient client = new WireClient(SERVER.port())) {
      assertThatThrownBy(
              () -> client.call("api.EntroQ/Modify", modify, ModifyResponse.getDefaultInstance()))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e ->
                  assertThat(e.getStatus().getCode())
                      .as(e.getMessage())
                      .isEqualTo(
                          isFull ? Status.Code.RESOURCE_EXHAUSTED : Status.Code.INVALID_ARGUMENT));
    }

    HttpResponse<String> rest =
        send(
            "PUT",
            "/api/entroq/policies/"
                + URLEncoder.encode(malformed.policy.getName(), StandardCharsets.UTF_8)
                + (malformed.isOfAPrefix() ? "?kind=prefix" : ""),
            JsonWriter.write(
                malformed.policy.toBuilder().clearName().clearKind().build(), Defaults.OMITTED));
    assertThat(rest.statusCode()).as(rest.body()).isEqualTo(isFull ? 429 : 400);
    assertThat(rest.body()).contains("\"message\":\"");

    List<Object> words = new ArrayList<>(List.of("policy", "set", "-s", address()));
    words.add(malformed.isOfAPrefix() ? "-p" : "-q");
    words.add(malformed.policy.getName());
    words.addAll(malformed.command.isEmpty() ? List.of("--in-flight", "1") : malformed.command);
    Cli said = Cli.run(words.toArray());
    assertThat(said.err()).startsWith("entroq policy set: ");

    assertThat(entries()).isEqualTo(before);
  }

  private static String address() {
    return "localhost:" + SERVER.port();
  }

  private static HttpResponse<String> send(String verb, String path, String body) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:%d%s".formatted(SERVER.httpPort(), path)))
                .header("Content-Type", "application/json")
                .method(verb, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }

  /** The whole server passes a redrive through its filters. */
  @Test
  void shouldRedriveOverGrpcAndHttp() throws Exception {
    for (int i = 0; i < 2; i++) {
      QUEUE.modify(Modification.insert("dead/err", "x")).orThrow();
    }
    try (WireClient client = new WireClient(SERVER.port())) {
      RedriveResponse moved =
          client.call(
              "entroq.v1.Queues/Redrive",
              RedriveRequest.newBuilder().setFrom("dead/err").setLimit(1).build(),
              RedriveResponse.getDefaultInstance());
      assertThat(moved.getMoved()).isEqualTo(1);
      assertThat(moved.getComplete()).isFalse();
    }
    HttpResponse<String> rest = send("POST", "/api/entroq/redrive", "{\"from\":\"dead/err\"}");
    assertThat(rest.statusCode()).isEqualTo(200);
    assertThat(rest.body()).contains("\"moved\":\"1\"").contains("\"complete\":true");
    assertThat(QUEUE.tasks(TaskQuery.in("dead"))).hasSize(2);
  }
}
