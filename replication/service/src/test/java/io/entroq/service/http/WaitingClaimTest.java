package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallObserver;
import io.entroq.service.call.ObservedService;
import io.entroq.service.call.Service;
import io.entroq.service.testing.Await;
import io.grpc.Status;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Claims that wait over HTTP: they end, and dead ones hold nothing. */
class WaitingClaimTest {
  private static final String WAIT = "/api/v0/claim/wait";
  private static final String CLAIM =
      "{\"claimantId\":\"c\",\"queues\":[\"q\"],\"durationMs\":\"30000\",\"pollMs\":\"5000\"}";
  private static final Pattern ID = Pattern.compile("\"id\":\"(t\\d+)\"");
  private static final String TWO = "entroq-protocol: 2";
  private static final String STOPPING =
      "503 {\"code\":14,\"message\":\"the server is shutting down; ask again\",\"details\":[]}";

  @Test
  void shouldEndAsSoonAsThereIsATask() {
    try (HttpQueue served = new HttpQueue()) {
      served.client.beginPost(WAIT, CLAIM);
      served.awaitBlocked(1);
      served.insert("q", "t1");
      assertThat(served.client.receive().text())
          .contains("\"id\":\"t1\",\"version\":1")
          .contains("\"claims\":1");
      // What is delivered stays its caller's.
      served.client.close();
      try (RawHttp other = served.connect()) {
        assertThat(other.post("/api/v0/claim", CLAIM).text()).isEqualTo("{}");
      }
    }
  }

  /** With blanks before the task, at short intervals. */
  private static HttpServerConfig.Builder beating() {
    return HttpServerConfig.builder(0).claimHeartbeat(Duration.ofMillis(20));
  }

  @Test
  void shouldWaitUntilATaskComes() {
    try (HttpQueue served = new HttpQueue(beating())) {
      served.client.beginPost(WAIT, CLAIM);
      // Its answer has begun.
      assertThat(served.client.hasAnswerWithin(20_000)).isTrue();
      served.awaitBlocked(1);
      served.insert("q", "t1");
      RawResponse response = served.client.receive();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.headers())
          .containsEntry("content-type", "application/json")
          .containsEntry("entroq-protocol", "1,2")
          .containsKey("entroq-position");
      assertThat(response.text()).startsWith(" ");
      assertThat(response.text().strip())
          .startsWith("{\"task\":{\"")
          .contains("\"id\":\"t1\"")
          .endsWith("}");
      // The connection goes on.
      assertThat(served.client.post("/api/v0/claim", CLAIM).text()).isEqualTo("{}");
    }
  }

  @Test
  void shouldWaitWithoutBlanksIfToldTo() {
    try (HttpQueue served =
        new HttpQueue(HttpServerConfig.builder(0).claimHeartbeat(Duration.ZERO))) {
      served.client.beginPost(WAIT, CLAIM);
      served.awaitBlocked(1);
      assertThat(served.client.hasAnswerWithin(100)).isFalse();
      served.insert("q", "t1");
      assertThat(served.client.receive().headers()).containsKey("content-length");
    }
  }

  @Test
  void shouldWaitBehindAProxyThatCutsIdleConnections() throws Exception {
    Duration idleMax = Duration.ofSeconds(3);
    try (HttpQueue served = new HttpQueue(beating());
        IdleCutter proxy = new IdleCutter(served.server.port(), idleMax);
        RawHttp caller = new RawHttp(proxy.port())) {
      long startNs = System.nanoTime();
      caller.beginPost(WAIT, CLAIM);
      Await.until(
          "it has waited for longer than the proxy would",
          () -> System.nanoTime() - startNs > idleMax.toNanos() * 4 / 3);
      assertThat(proxy.cut()).isZero();
      served.insert("q", "t1");
      assertThat(id(caller.receive())).isEqualTo("t1");
    }
  }

  @Test
  void shouldGiveBackTheClaimThatAProxyCuts() throws Exception {
    try (HttpQueue served =
            new HttpQueue(HttpServerConfig.builder(0).claimHeartbeat(Duration.ZERO));
        IdleCutter proxy = new IdleCutter(served.server.port(), Duration.ofMillis(100));
        RawHttp caller = new RawHttp(proxy.port())) {
      caller.beginPost(WAIT, CLAIM);
      served.awaitBlocked(1);
      assertThat(caller.isEnded()).isTrue();
      Await.until("the proxy has cut it", () -> proxy.cut() == 1);
      served.awaitBlocked(0);
      served.insert("q", "t1");
      assertThat(served.client.post("/api/v0/claim", CLAIM).text()).contains("\"claims\":1");
    }
  }

  @Test
  void shouldCancelTheClaimOfACallerWhoLeavesAfterBlanks() {
    try (HttpQueue served = new HttpQueue(beating())) {
      RawHttp caller = served.connect();
      caller.beginPost(WAIT, CLAIM);
      assertThat(caller.hasAnswerWithin(20_000)).isTrue();
      caller.close();
      served.awaitBlocked(0);
      served.insert("q", "t1");
      assertThat(served.client.post("/api/v0/claim", CLAIM).text()).contains("\"claims\":1");
    }
  }

  /** Messages in protobuf cannot begin with blanks, nor can an answer of unknown length. */
  @Test
  void shouldSendNoBlanksWhereTheyAreNotAllowed() {
    try (HttpQueue served = new HttpQueue(beating());
        RawHttp old = served.connect();
        RawHttp binary = served.connect()) {
      old.write(
          "POST %s HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(WAIT, CLAIM.length(), CLAIM));
      byte[] claim =
          ClaimRequest.newBuilder().setClaimantId("c").addQueues("q").build().toByteArray();
      binary.send("POST", "/api.EntroQ/Claim", claim, "Content-Type: application/proto");
      served.awaitBlocked(2);
      assertThat(old.hasAnswerWithin(150)).isFalse();
      assertThat(binary.hasAnswerWithin(150)).isFalse();
      served.insert("q", "t1", "t2");
      assertThat(old.receive().text()).startsWith("{");
      assertThat(binary.receive().headers()).containsEntry("content-type", "application/proto");
    }
  }

  /** A service that answers nothing, as while a claim waits to be admitted. */
  private static Service withoutAnswers(Service service, AtomicInteger calls) {
    return (Service)
        Proxy.newProxyInstance(
            Service.class.getClassLoader(),
            new Class<?>[] {Service.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("handle")) {
                return method.invoke(service, arguments);
              }
              calls.incrementAndGet();
              return Call.done();
            });
  }

  @Test
  void shouldKeepTheDeadlineOfTheCaller() {
    try (HttpQueue served = new HttpQueue(beating())) {
      RawResponse rest = served.client.post(WAIT, CLAIM, "X-Server-Timeout: 0.1");
      assertThat(rest.status()).isEqualTo(504);
      assertThat(rest.text()).startsWith("{\"code\":4,");
      RawResponse connect =
          served.client.post(
              "/api.EntroQ/Claim",
              CLAIM,
              "Content-Type: application/json",
              "Connect-Timeout-Ms: 100");
      assertThat(connect.status()).isEqualTo(504);
      assertThat(connect.text()).startsWith("{\"code\":\"deadline_exceeded\"");
      served.awaitBlocked(0);
    }
  }

  @Test
  void shouldCancelClaimsOfBrokenConnections() {
    try (HttpQueue served = new HttpQueue()) {
      List<RawHttp> callers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        RawHttp caller = served.connect();
        callers.add(caller);
        caller.beginPost(WAIT, CLAIM);
      }
      served.awaitBlocked(20);
      callers.forEach(RawHttp::close);
      served.awaitBlocked(0);
      served.insert("q", "t1");
      assertThat(served.client.post("/api/v0/claim", CLAIM).text())
          .contains("\"id\":\"t1\",\"version\":1");
    }
  }

  @Test
  void shouldFindATaskAmongAbortedClaims() throws Exception {
    try (HttpQueue served = new HttpQueue()) {
      int atOnce = 0;
      for (int round = 0; round < 4; round++) {
        String queue = "q" + round;
        String id = "t" + round;
        Thread inserter =
            new Thread(
                () -> {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(167));
                  served.insert(queue, id);
                });
        inserter.start();
        RawResponse claimed = claimAborting(served, queue, 50, Duration.ofSeconds(40));
        assertThat(id(claimed)).isEqualTo(id);
        atOnce += claimed.text().contains("\"claims\":1") ? 1 : 0;
        inserter.join();
      }
      // An answer that had left when its caller went away is lost, and its lease has to run out.
      // That is chance, and more often so on a busy machine.
      assertThat(atOnce).as("found without waiting for a lease to run out").isPositive();
    }
  }

  @Test
  void shouldFindATaskWhenClaimsAreAbortedAtOnce() {
    try (HttpQueue served = new HttpQueue()) {
      for (int round = 0; round < 15; round++) {
        List<RawHttp> callers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          RawHttp caller = served.connect();
          callers.add(caller);
          caller.beginPost(WAIT, CLAIM);
        }
        served.awaitBlocked(10);
        Thread inserter = new Thread(() -> served.insert("q", "t1"));
        inserter.start();
        callers.forEach(RawHttp::close);
        Await.until("the task is somebody's or nobody's", () -> !inserter.isAlive());
        served.awaitBlocked(0);
        // An answer that had left when its caller went away is lost, as over any connection.
        String task = served.client.get("/api/v0/tasks?taskId=t1").text();
        Matcher version = Pattern.compile("\"version\":(\\d+)").matcher(task);
        assertThat(
                served
                    .client
                    .post(
                        "/api/v0/modify",
                        "{\"claimantId\":\"c\",\"deletes\":[{\"id\":\"t1\",\"version\":%s,\"queue\":\"q\"}]}"
                            .formatted(version.find() ? version.group(1) : "0"))
                    .status())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void shouldEndWithoutATaskWhenTheServerStops() {
    try (HttpQueue served = new HttpQueue()) {
      served.client.beginPost(WAIT, CLAIM);
      try (RawHttp idle = served.connect()) {
        assertThat(idle.get("/healthz").status()).isEqualTo(200);
        served.awaitBlocked(1);
        assertThat(served.server.drain(Duration.ofSeconds(10))).isTrue();
        RawResponse response = served.client.receive();
        assertThat(response.text()).isEqualTo("{}");
        assertThat(response.headers()).containsEntry("connection", "close");
        assertThat(idle.isEnded()).isTrue();
      }
      served.awaitBlocked(0);
    }
  }

  @Test
  void shouldEndWithoutATaskAlsoWhenObserved() {
    List<Status.Code> seen = new CopyOnWriteArrayList<>();
    CallObserver watcher = (method, context) -> seen::add;
    try (HttpQueue served =
        new HttpQueue(
            HttpServerConfig.builder(0), service -> new ObservedService(service, watcher))) {
      assertThat(stop(served)).isEqualTo("200 {}");
      // Whichever is first: its own end, or that of all claims.
      assertThat(seen).hasSize(1).isSubsetOf(Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void shouldEndWithoutATaskBeforeItCanBeWithdrawn() {
    assertThat(stopWithoutAnswer()).isEqualTo("200 {}");
    assertThat(stopWithoutAnswer(TWO)).isEqualTo(STOPPING);
  }

  private static String stopWithoutAnswer(String... headers) {
    AtomicInteger calls = new AtomicInteger();
    try (HttpQueue served =
        new HttpQueue(HttpServerConfig.builder(0), service -> withoutAnswers(service, calls))) {
      served.client.beginPost(WAIT, CLAIM, headers);
      Await.until("the claim has begun", () -> calls.get() == 1);
      return stopNow(served);
    }
  }

  @Test
  void shouldSayToNewerCallersThatTheServerStops() {
    try (HttpQueue served = new HttpQueue()) {
      assertThat(stop(served, TWO)).isEqualTo(STOPPING);
    }
  }

  @Test
  void shouldEndWithoutATaskAfterBlanksWhenTheServerStops() {
    try (HttpQueue served = new HttpQueue(beating())) {
      served.client.beginPost(WAIT, CLAIM);
      assertThat(served.client.hasAnswerWithin(20_000)).isTrue();
      assertThat(served.server.drain(Duration.ofSeconds(10))).isTrue();
      assertThat(served.client.receive().text().strip()).isEqualTo("{}");
    }
  }

  /** Its status is sent already, so it can only be left incomplete. */
  @Test
  void shouldCutTheAnswerOfANewerCallerAfterBlanksWhenTheServerStops() {
    try (HttpQueue served = new HttpQueue(beating())) {
      served.client.beginPost(WAIT, CLAIM, TWO);
      assertThat(served.client.hasAnswerWithin(20_000)).isTrue();
      assertThat(served.server.drain(Duration.ofSeconds(10))).isTrue();
      assertThatThrownBy(served.client::receive)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("EOFException");
      served.awaitBlocked(0);
    }
  }

  /** Stops the server while a claim waits; what that is answered. */
  private static String stop(HttpQueue served, String... headers) {
    served.client.beginPost(WAIT, CLAIM, headers);
    served.awaitBlocked(1);
    return stopNow(served);
  }

  private static String stopNow(HttpQueue served) {
    assertThat(served.server.drain(Duration.ofSeconds(10))).isTrue();
    RawResponse response = served.client.receive();
    return response.status() + " " + response.text();
  }

  @Test
  void shouldGiveEachTaskToOneOfManyWaitingClaims() {
    try (HttpQueue served = new HttpQueue()) {
      List<RawHttp> callers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        RawHttp caller = served.connect();
        callers.add(caller);
        caller.beginPost(WAIT, CLAIM);
      }
      served.awaitBlocked(200);
      for (int i = 0; i < 20; i++) {
        String[] ids = new String[10];
        for (int j = 0; j < ids.length; j++) {
          ids[j] = "t" + (10 * i + j);
        }
        served.insert("q", ids);
      }
      List<String> claimed = new ArrayList<>();
      for (RawHttp caller : callers) {
        claimed.add(id(caller.receive()));
        caller.close();
      }
      assertThat(claimed).hasSize(200).doesNotHaveDuplicates();
    }
  }

  /** Claims anew each time it has waited for so long, over a new connection. */
  private static RawResponse claimAborting(
      HttpQueue served, String queue, int eachMs, Duration patience) {
    String claim =
        "{\"claimantId\":\"c\",\"queues\":[\"%s\"],\"durationMs\":\"1000\"}".formatted(queue);
    long end = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() - end < 0) {
      try (RawHttp caller = served.connect()) {
        caller.beginPost(WAIT, claim);
        if (caller.hasAnswerWithin(eachMs)) {
          return caller.receive();
        }
      }
    }
    throw new AssertionError("no task came in time");
  }

  private static String id(RawResponse response) {
    Matcher id = ID.matcher(response.text());
    assertThat(id.find()).as(response.text()).isTrue();
    return id.group(1);
  }
}
