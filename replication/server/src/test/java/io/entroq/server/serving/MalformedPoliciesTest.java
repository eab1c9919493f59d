package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.TaskQuery;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Policy;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every edge of a server says to policies that cannot be, and that it changes nothing. */
@Timeout(60)
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

    private boolean isForLackOfRoom() {
      return this == ONE_TOO_MANY;
    }
  }

  @AfterAll
  static void close() {
    QUEUE.close();
    SERVER.close();
  }

  /** Three policies, as many as may be; a leads to q, unless there has to be room for one more. */
  private static Set<Policies.Entry> prepare(Case malformed) {
    Policies policies = QUEUE.policies();
    policies.list(Policies.Query.all()).forEach(entry -> policies.delete(entry.target()));
    policies.put(QueuePolicy.of("a").attempts(1).deadQueue("q"));
    if (malformed.isForLackOfRoom()) {
      policies.put(QueuePolicy.of("b").inFlight(1));
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
                + URLEncoder.encode(malformed.policy.getName(), StandardCharsets.UTF_8),
            JsonWriter.write(malformed.policy.toBuilder().clearName().build(), Defaults.OMITTED));
    assertThat(rest.statusCode()).as(rest.body()).isEqualTo(isFull ? 429 : 400);
    assertThat(rest.body()).contains("\"message\":\"");

    List<Object> words = new ArrayList<>(List.of("policy", "set", "-s", address(), "-q"));
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
