package io.entroq.server.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.entroq.api.Claim;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.api.codec.JacksonCodec;
import io.entroq.api.codec.ValueCodec;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.server.cli.Cli;
import io.entroq.server.settings.Settings;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.tls.TestCertificates;
import io.entroq.service.tls.TestCertificates.Pair;
import io.entroq.tools.terminal.CommandException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server as a whole, in this process. */
class EntroqServerTest {
  @TempDir private Path temporary;

  @Test
  void shouldAskWhoMayDoWhatAndTellOfBoth() throws Exception {
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        EntroqServer serving = start("AUTHZ", "opahttp", "OPA_URL", opa.url());
        WireClient client = new WireClient(serving.port(), "Bearer token-of-ann")) {
      V1 ann = new V1(client);
      assertThat(ann.tryClaim("ann#1", "/shop/orders").hasTask()).isFalse();
      assertThat(code(() -> ann.tryClaim("ann#1", "/secret")))
          .isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(get(serving, "/api/v0/tasks?queue=/secret")).startsWith("403 ");

      assertThat(serving.access()).endsWith("authorization by opahttp");
      assertThat(opa.asked).hasSize(3);
      assertThat(get(serving, "/metrics"))
          .startsWith("200 ")
          .contains(requests("OK", "TryClaim", "grpc"))
          .contains(requests("PERMISSION_DENIED", "TryClaim", "grpc"))
          .contains(requests("PERMISSION_DENIED", "Tasks", "http"));
    }
  }

  /** What programs in other languages read of what a Java program inserts. */
  @Test
  void shouldShowTextAndJsonOfTheJavaApiAsTextAndJsonOverHttp() throws Exception {
    try (EntroqServer serving = start();
        EntroQ queue = EntroQ.connect("localhost:" + serving.port())) {
      queue
          .modify(
              Modification.builder()
                  .insert("text", "hello")
                  .insert("number", "42")
                  .insert("codec", ValueCodec.text().encode("h\u00e9llo"))
                  .insert("json", Value.json("{\"x\":[1]}"))
                  .insert("object", JacksonCodec.of(Object.class).encode(Map.of("x", 1)))
                  .insert("bytes", Value.bytes(new byte[] {-1}))
                  .insertDoc(DocInsert.into("users", "ann").withValue("Ann"))
                  .build())
          .orThrow();

      assertThat(get(serving, "/api/v0/tasks?queue=text")).contains("\"value\":\"hello\"");
      assertThat(get(serving, "/api/v0/tasks?queue=number")).contains("\"value\":\"42\"");
      assertThat(get(serving, "/api/v0/tasks?queue=codec")).contains("\"value\":\"h\u00e9llo\"");
      assertThat(get(serving, "/api/v0/tasks?queue=json")).contains("\"value\":{\"x\":[1]}");
      assertThat(get(serving, "/api/v0/tasks?queue=object")).contains("\"value\":{\"x\":1}");
      assertThat(get(serving, "/api/v0/tasks?queue=bytes")).contains("\"value\":\"/w==\"");
      assertThat(get(serving, "/api/v0/docs?query.namespace=users"))
          .contains("\"content\":\"Ann\"");
      assertThat(queue.tryClaim(Claim.from("text")).orElseThrow().text()).isEqualTo("hello");
      assertThat(queue.tryClaim(Claim.from("bytes")).orElseThrow().value())
          .isEqualTo(Value.bytes(new byte[] {-1}));
    }
  }

  @Test
  void shouldTakeWhatFollowsAFirstRequestThatItDenied() throws Exception {
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        EntroqServer serving = start("AUTHZ", "opahttp", "OPA_URL", opa.url());
        WireClient client = new WireClient(serving.port(), "Bearer token-of-ann")) {
      ModifyRequest.Builder request =
          ModifyRequest.newBuilder()
              .setClaimantId("ann#1")
              .setClientId(ByteString.copyFromUtf8("0123456789abcdef"))
              .addInserts(V1.data("/secret"));
      V1 ann = new V1(client);
      assertThat(code(() -> ann.modify(request.setRequestNumber(1))))
          .isEqualTo(Status.Code.PERMISSION_DENIED);
      request.setInserts(0, V1.data("/shop/orders")).setRequestNumber(2).setAckedBelow(2);
      assertThat(ann.modify(request).getInsertedCount()).isEqualTo(1);
    }
  }

  @Test
  void shouldNameQueuesInItsNumbersOnlyToThoseWhoMayReadAll() throws Exception {
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        EntroqServer serving = start("AUTHZ", "opahttp", "OPA_URL", opa.url());
        WireClient client = new WireClient(serving.port(), "Bearer token-of-root")) {
      new V1(client).insert("/secret", "t");
      for (String token : List.of("", "Bearer token-of-ann", "Bearer nonsense")) {
        assertThat(metrics(serving, token))
            .contains("entroq_queues 1.0\n", "jvm_memory_used_bytes", "entroq_requests_total")
            .doesNotContain("secret");
      }
      assertThat(metrics(serving, "Bearer token-of-root"))
          .contains("entroq_queue_size{", "queue=\"/secret\"");
      opa.decide(input -> input.path("none"));
      assertThat(metrics(serving, "Bearer token-of-root"))
          .contains("entroq_queues 1.0\n")
          .doesNotContain("secret");
    }
  }

  private static String metrics(EntroqServer serving, String token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("http://localhost:%d/metrics".formatted(serving.httpPort())));
    if (!token.isEmpty()) {
      request.header("Authorization", token);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
  }

  private static String requests(String code, String method, String transport) {
    return "entroq_requests_total{api=\"v1\",code=\"%s\",method=\"%s\",transport=\"%s\"} 1.0\n"
        .formatted(code, method, transport);
  }

  @Test
  void shouldKeepArrivalTimesOfChanges() throws Exception {
    try (EntroqServer serving = start();
        WireClient client = new WireClient(serving.port())) {
      assertThat(isAvailableWhenPutOff(new V1(client))).isFalse();
    }
  }

  @Test
  void shouldTellOfItsQueuesIfItCountsWhatHappens() throws Exception {
    try (EntroqServer serving = start("RATES", "true");
        EntroQ queue = EntroQ.connect("localhost:" + serving.port())) {
      queue.modify(Modification.insert("jobs/err", "1")).orThrow();
      assertThat(get(serving, "/api/entroq/insight/queues?prefix=jobs/&sort=tasks"))
          .startsWith("200 ")
          .contains("\"name\":\"jobs/err\"", "\"deadQueue\":true");
      assertThat(get(serving, "/api/entroq/insight/overview")).contains("\"deadTasks\":\"1\"");
      assertThat(get(serving, "/api/entroq/insight/rates?queue=jobs/err&step_s=1&points=3"))
          .startsWith("200 ");
      assertThat(get(serving, "/api/entroq/insight/failures")).startsWith("200 ");
      assertThat(get(serving, "/api/entroq/insight/workers?sort=held")).startsWith("200 ");
      assertThat(get(serving, "/api/entroq/insight/dead"))
          .startsWith("200 ")
          .contains("\"lookedAt\":\"1\"");
      assertThat(get(serving, "/api/entroq/insight/queues?sort=size")).startsWith("400 ");
      assertThat(get(serving, "/metrics"))
          .contains("entroq_quarantined_tasks{l1=\"/jobs\",l2=\"/jobs/err\"");
    }
    try (EntroqServer serving = start("CONSOLE", "false")) {
      assertThat(get(serving, "/api/entroq/insight/overview")).startsWith("501 ");
      assertThat(get(serving, "/metrics")).doesNotContain("entroq_quarantined_tasks");
    }
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        EntroqServer serving = start("RATES", "true", "AUTHZ", "opahttp", "OPA_URL", opa.url())) {
      assertThat(get(serving, "/api/entroq/insight/overview")).startsWith("403 ");
      assertThat(get(serving, "/api/entroq/insight/queues?name=/secret")).startsWith("403 ");
    }
  }

  @Test
  void shouldCollectOldQueuesUnlessItIsToldNotTo() throws Exception {
    try (EntroqServer serving = start()) {
      assertThat(get(serving, "/metrics"))
          .contains("entroq_gc_deleted_total 0.0\n", "entroq_gc_sweep_duration_seconds_count");
    }
    try (EntroqServer serving = start("GC", "false")) {
      assertThat(get(serving, "/metrics")).doesNotContain("entroq_gc");
    }
  }

  @Test
  void shouldBoundLeasesAsItIsToldTo() throws Exception {
    try (EntroqServer serving = start();
        WireClient client = new WireClient(serving.port())) {
      assertThat(leaseMs(new V1(client), 50)).isEqualTo(45_000);
      assertThat(get(serving, "/metrics"))
          .contains(
              "entroq_claim_lease_clamped_total{kind=\"task\",reason=\"below_floor\"} 1.0\n",
              "entroq_claim_lease_clamped_total{kind=\"doc\",reason=\"above_ceiling\"} 0.0\n");
    }
    try (EntroqServer serving = start("CLAIM_LEASE_FLOOR", "1ms", "CLAIM_LEASE_DEFAULT", "7s");
        WireClient client = new WireClient(serving.port())) {
      assertThat(leaseMs(new V1(client), 50)).isEqualTo(50);
      assertThat(leaseMs(new V1(client), 0)).isEqualTo(7_000);
      assertThat(leaseMs(new V1(client), Long.MAX_VALUE)).isEqualTo(3_600_000);
    }
    Cli.run("serve", "--claim_lease_floor", "2m", "--claim_lease_ceiling", "1m")
        .assertMisused(
            "--claim_lease_floor: 120000 ms is more than --claim_lease_ceiling, 60000 ms");
  }

  private static long leaseMs(V1 v1, long askedMs) {
    v1.insert("q" + askedMs, "t" + askedMs);
    Task task = v1.tryClaim(V1.claim("c", "q" + askedMs).setDurationMs(askedMs).build()).getTask();
    return task.getAtMs() - task.getModifiedMs();
  }

  /** Whether a task can be claimed that was changed to come in an hour. */
  private static boolean isAvailableWhenPutOff(V1 v1) {
    Task task = v1.insert("q", "t");
    TaskChange.Builder later = V1.change(task);
    later.getNewDataBuilder().setAtMs(task.getAtMs() + Duration.ofHours(1).toMillis());
    v1.modify(ModifyRequest.newBuilder().setClaimantId("c").addChanges(later));
    return v1.tryClaim("c", "q").hasTask();
  }

  @Test
  void shouldLeaveNothingBehindWhenAPortIsTaken() throws Exception {
    String data = temporary.resolve("data").toString();
    try (EntroqServer serving = start("DATA", data);
        WireClient client = new WireClient(serving.port())) {
      new V1(client).insert("q", "t");
    }
    String free = Integer.toString(freePort());
    try (ServerSocket taken = listen(0)) {
      String port = Integer.toString(taken.getLocalPort());
      Cli.run("serve", "--data", data, "--host", "127.0.0.1", "--port", free, "--http-port", port)
          .assertFailed("cannot listen on port " + port + " for HTTP: ");
      assertThatThrownBy(() -> start("DATA", data, "PORT", free, "HTTP_PORT", port))
          .isInstanceOf(CommandException.class);
    }
    // Neither the port of gRPC nor the directory is held by anybody.
    try (EntroqServer serving = start("DATA", data, "PORT", free);
        WireClient client = new WireClient(serving.port())) {
      assertThat(new V1(client).task("t").getQueue()).isEqualTo("q");
    }
  }

  @Test
  void shouldServeOnNeitherPortWhoShowsNoCertificate() throws Exception {
    List<Pair> pairs = TestCertificates.make(temporary, "server", "client");
    Pair own = pairs.get(0);
    Pair client = pairs.get(1);
    try (EntroqServer serving =
            start(
                "TLS_CERT",
                own.certificate().toString(),
                "TLS_KEY",
                own.key().toString(),
                "TLS_CLIENT_CA",
                client.certificate().toString());
        WireClient plain = new WireClient(serving.port())) {
      assertThat(serving.access()).startsWith("mutual TLS");
      assertThat(code(() -> new V1(plain).tryClaim("c", "q"))).isEqualTo(Status.Code.UNAVAILABLE);
      assertThatThrownBy(() -> get(serving, "/healthz")).isInstanceOf(IOException.class);
      List<Object> queues = new ArrayList<>(List.of("qs", "-s", "localhost:" + serving.port()));
      queues.addAll(List.of("--tls-ca", own.certificate()));
      List<Object> hasty = new ArrayList<>(queues);
      hasty.addAll(List.of("--connect-timeout", "500ms"));
      Cli.run(hasty.toArray()).assertFailed("localhost:" + serving.port());
      queues.addAll(List.of("--tls-cert", client.certificate(), "--tls-key", client.key()));
      Cli.run(queues.toArray()).assertGood();
      // It has not signed its own one.
      health(serving, own).assertFailed("does not answer: ");
      health(serving, client).assertFailed("does not answer: ");
    }
  }

  @Test
  void shouldTellItsMachineWhetherItIsReady() throws Exception {
    List<Pair> pairs = TestCertificates.make(temporary, "server", "other");
    Pair own = pairs.get(0);
    int port;
    try (EntroqServer serving = start()) {
      port = serving.httpPort();
      assertThat(Cli.run("health", "--http-port", port).assertGood().out()).isEqualTo("ok\n");
      Cli.run("health", "--live", "--http-port", port).assertGood();
      health(serving, own).assertFailed("https://127.0.0.1:" + port, "does not answer: ");
    }
    Cli.run("health", "--http-port", port).assertFailed("does not answer: ");
    Cli.run("health", "--http-port", "0")
        .assertFailed("--http-port 0: the port is chosen at startup");
    Cli.run("health", "--tls-cert", "x").assertMisused("--tls-cert: needs --tls-key");
    String certificate = own.certificate().toString();
    try (EntroqServer serving =
        start(
            "TLS_CERT",
            certificate,
            "TLS_KEY",
            own.key().toString(),
            "TLS_CLIENT_CA",
            certificate)) {
      assertThat(health(serving, own).assertGood().out()).isEqualTo("ok\n");
      health(serving, pairs.get(1)).assertFailed("differs from the one in its file");
    }
  }

  /** Asks a server as the one that has a certificate. */
  private static Cli health(EntroqServer serving, Pair pair) {
    return Cli.run(
        "health",
        "--http-port",
        serving.httpPort(),
        "--tls-cert",
        pair.certificate(),
        "--tls-key",
        pair.key());
  }

  @Test
  void shouldCloseAConnectionOfHttpAsSoonAsItIsTold() throws Exception {
    try (EntroqServer serving = start("HTTP_IDLE_MAX", "1s");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), serving.httpPort())) {
      socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("ok\n");
    }
  }

  /** Starts one over loopback. */
  private static EntroqServer start(String... settings) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ENTROQ_HOST", "127.0.0.1");
    environment.put("ENTROQ_PORT", "0");
    environment.put("ENTROQ_HTTP_PORT", "0");
    for (int i = 0; i < settings.length; i += 2) {
      environment.put("ENTROQ_" + settings[i], settings[i + 1]);
    }
    return EntroqServer.start(Settings.of(List.of(), Optional.empty(), environment));
  }

  /** The status and the body. */
  private static String get(EntroqServer serving, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(serving.httpPort(), path));
    var response =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }

  private static Status.Code code(Runnable call) {
    StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(refusal).isNotNull();
    return refusal.getStatus().getCode();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = listen(0)) {
      return socket.getLocalPort();
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
