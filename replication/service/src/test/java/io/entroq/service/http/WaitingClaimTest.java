package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.call.Call;
import io.entroq.service.call.CallObserver;
import io.entroq.service.call.ObservedService;
import io.entroq.service.call.Service;
import io.entroq.service.testing.Await;
import io.grpc.Status;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims that wait over HTTP: they end, and dead ones hold nothing. */
@Timeout(60)
class WaitingClaimTest {
  private static final String WAIT = "/api/v0/claim/wait";
  private static final String CLAIM =
      "{\"claimantId\":\"c\",\"queues\":[\"q\"],\"durationMs\":\"30000\",\"pollMs\":\"5000\"}";
  private static final Pattern ID = Pattern.compile("\"id\":\"(t\\d+)\"");
  private static final HttpServerConfig.Builder SOON =
      HttpServerConfig.builder(0).claimWait(Duration.ofMillis(150));

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

  @Test
  void shouldEndWithoutATaskAfterItsWait() {
    try (HttpQueue served = new HttpQueue(SOON)) {
      long start = System.nanoTime();
      RawResponse response = served.client.post(WAIT, CLAIM);
      assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(145));
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.text()).isEqualTo("{}");
      assertThat(served.server.blockedClaims()).isZero();
      assertThat(
              served
                  .client
                  .post("/api.EntroQ/Claim", CLAIM, "Content-Type: application/json")
                  .text())
          .isEqualTo("{}");
      served.insert("q", "t1");
      assertThat(served.client.post("/api/v0/claim", CLAIM).text()).contains("\"claims\":1");
    }
  }

  @Test
  void shouldEndWithoutATaskAlsoWhenObserved() {
    List<Status.Code> seen = new CopyOnWriteArrayList<>();
    CallObserver watcher = (method, context) -> seen::add;
    try (HttpQueue served = new HttpQueue(SOON, service -> new ObservedService(service, watcher))) {
      assertThat(served.client.post(WAIT, CLAIM).text()).isEqualTo("{}");
      assertThat(seen).containsExactly(Status.Code.CANCELLED);
    }
  }

  @Test
  void shouldEndWithoutATaskBeforeItCanBeWithdrawn() {
    try (HttpQueue served = new HttpQueue(SOON, WaitingClaimTest::withoutWithdrawal)) {
      assertThat(served.client.post(WAIT, CLAIM).text()).isEqualTo("{}");
      served.awaitBlocked(0);
      assertThat(served.client.get("/api/v0/time").status()).isEqualTo(200);
    }
  }

  /** A call that passes on nothing but its cancel. */
  private static Call onlyCancelled(Call call) {
    return new Call() {
      @Override
      public void cancel() {
        call.cancel();
      }
    };
  }

  private static Service withoutWithdrawal(Service service) {
    return (Service)
        Proxy.newProxyInstance(
            Service.class.getClassLoader(),
            new Class<?>[] {Service.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(service, arguments);
              return result instanceof Call call ? onlyCancelled(call) : result;
            });
  }

  @Test
  void shouldKeepTheDeadlineOfTheCaller() {
    try (HttpQueue served = new HttpQueue()) {
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
                        "{\"claimantId\":\"c\",\"deletes\":[{\"id\":\"t1\",\"version\":%s}]}"
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
