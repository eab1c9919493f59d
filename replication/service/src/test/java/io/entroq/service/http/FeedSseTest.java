package io.entroq.service.http;

import static io.entroq.service.feed.ScriptedFeed.moved;
import static io.entroq.service.feed.ScriptedFeed.position;
import static io.entroq.service.feed.ScriptedFeed.task;
import static io.entroq.service.feed.ScriptedFeed.valued;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.Values;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.service.feed.Feeds;
import io.entroq.service.feed.ScriptedFeed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A feed as server-sent events. */
class FeedSseTest {
  private static final String PATH = "/api/entroq/feed";

  private final ScriptedFeed feed = new ScriptedFeed();
  private final Feeds feeds = feed.feeds();
  private final HttpQueue served =
      new HttpQueue(HttpServerConfig.builder(0).claimHeartbeat(Duration.ZERO), feeds::before);

  @AfterEach
  void close() {
    served.close();
    feeds.close();
  }

  private Map<String, String> begin(String target, String... headers) {
    served.client.send("GET", target, new byte[0], headers);
    feed.reader(0).step(41, task(EffectKinds.INSERTED, "a", "q"));
    RawResponse head = served.client.receiveHead();
    assertThat(head.status()).isEqualTo(200);
    return head.headers();
  }

  private static JsonNode data(String event) throws Exception {
    String data = event.lines().filter(line -> line.startsWith("data: ")).findFirst().orElseThrow();
    return new JsonMapper().readTree(data.substring("data: ".length()));
  }

  @Test
  void shouldSendAnEventForEachEffect() throws Exception {
    Map<String, String> headers = begin(PATH + "?values=true", "Accept-Encoding: gzip");
    assertThat(headers)
        .containsEntry("content-type", "text/event-stream")
        .containsEntry("cache-control", "no-store")
        .containsEntry("x-accel-buffering", "no")
        .doesNotContainKey("content-encoding");
    String first = served.client.chunk();
    assertThat(first).startsWith("id: " + position("41") + "\nevent: inserted\ndata: {");
    assertThat(first).endsWith("}\n\n");
    assertThat(data(first).at("/task/id").asText()).isEqualTo("a");
    assertThat(data(first).at("/kind").asText()).isEqualTo("EFFECT_INSERTED");
    assertThat(data(first).at("/sequence").asText()).isEqualTo("41");

    feed.reader(0)
        .step(
            42,
            valued("b", "q", ValueKinds.JSON, Values.ofText("two\nlines")),
            moved(EffectKinds.GIVEN_BACK, "c", "p", "q"));
    String second = served.client.chunk();
    assertThat(second.lines().filter(line -> line.startsWith("id: ")))
        .containsExactly("id: " + position("42-0"), "id: " + position("42"));
    assertThat(second.lines().filter(line -> line.startsWith("event: ")))
        .containsExactly("event: inserted", "event: given_back");
    assertThat(second.lines()).hasSize(8);
    assertThat(data(second).at("/task/value").asText()).isEqualTo("two\nlines");

    feed.reader(0).mark(50);
    String mark = served.client.chunk();
    assertThat(mark).startsWith("id: " + position("50") + "\nevent: mark\ndata: {");
    assertThat(data(mark).at("/position").asText()).isEqualTo(position("50"));
    assertThat(feed.reader(0).request().hasValues()).isTrue();
  }

  @Test
  void shouldReadFilters() {
    served.client.send(
        "GET",
        PATH
            + "?queue=a&queue=b%2Fc&prefix=p&namespace=n&kind=died&kind=set_written&id=t"
            + "&from=2026-11-28T08:00:00Z&until=99",
        new byte[0]);
    assertThat(feed.reader(0).request())
        .isEqualTo(
            new FeedRequest(
                new Start.Time(1_795_852_800_000L),
                99,
                Long.MAX_VALUE,
                Set.of("a", "b/c"),
                List.of("p"),
                Set.of("n"),
                Set.of(EffectKinds.DIED, EffectKinds.SET_WRITTEN),
                Set.of("t"),
                false));
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "?from=now, ''",
    "?from=41-2@00112233445566778899aabbccddeeff, 41-2",
    "?from=snapshot, ''"
  })
  void shouldBeginWhereItIsToldTo(String query, String after) {
    served.client.send("GET", PATH + query, new byte[0]);
    Start expected = new Start.Now();
    if (!after.isEmpty()) {
      expected = new Start.After(41, 2, ScriptedFeed.LOG);
    } else if (query.contains("snapshot")) {
      expected = new Start.Snapshot();
    }
    assertThat(feed.reader(0).request().start()).isEqualTo(expected);
  }

  @Test
  void shouldResumeAfterTheLastEventOfAClientThatComesBack() throws Exception {
    Map<String, String> unused =
        begin(PATH + "?from=snapshot", "Last-Event-ID: " + position("40-1"));
    assertThat(feed.reader(0).request().start())
        .isEqualTo(new Start.After(40, 1, ScriptedFeed.LOG, ScriptedFeed.TIME_MS));
    assertThat(served.client.chunk()).startsWith("id: " + position("41"));
  }

  @Test
  void shouldNameNoPositionWithinASnapshot() throws Exception {
    Map<String, String> unused = begin(PATH + "?from=snapshot");
    assertThat(served.client.chunk()).startsWith("event: inserted\n");
    feed.reader(0).snapshotEnd(41);
    String complete = served.client.chunk();
    assertThat(complete).startsWith("id: " + position("41") + "\nevent: mark\n");
    assertThat(data(complete).at("/snapshotComplete").asBoolean()).isTrue();
    feed.reader(0).step(42, task(EffectKinds.CLAIMED, "a", "q"));
    assertThat(served.client.chunk()).startsWith("id: " + position("42"));
  }

  @ParameterizedTest
  @CsvSource({
    "?from=yesterday, '', position",
    "?from=2026-13-01T00:00:00Z, '', parameter from",
    "?from=now&from=now, '', parameter from",
    "'', rubbish, position",
    "?kind=born, '', parameter kind",
    "?values=perhaps, '', parameter values",
    "?until=x, '', until",
    "?until=2026-13-01T00:00:00Z, '', parameter until",
    "?from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z, '', until_time_ms",
    "?queues=a, '', parameter queues: unknown",
    "?queue=, '', queues"
  })
  void shouldRefuseWhatItCannotRead(String query, String lastEventId, String problem) {
    String[] headers =
        lastEventId.isEmpty() ? new String[0] : new String[] {"Last-Event-ID: " + lastEventId};
    RawResponse response = served.client.get(PATH + query, headers);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.headers()).containsEntry("content-type", "application/json");
    assertThat(response.text()).contains(problem, "\"code\":3");
    assertThat(feed.opened()).isZero();
    assertThat(served.client.get("/healthz").status()).as("the connection is kept").isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "OUT_OF_RANGE, 400, 11",
    "OTHER_LOG, 400, 9",
    "EXHAUSTED, 429, 8",
    "AWAY, 503, 14",
    "CLOSED, 503, 14",
    "FAULT, 500, 13"
  })
  void shouldTellByStatusThatItEndsBeforeItBegins(FeedEnd.Reason reason, int status, int code) {
    feed.endAtOnce(reason, "because");
    RawResponse response = served.client.get(PATH);
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.text()).contains("\"code\":" + code, "because");
    if (reason == FeedEnd.Reason.OUT_OF_RANGE) {
      assertThat(response.text())
          .contains("entroq.v1.FeedRange", "\"firstSequence\":\"10\"", "\"lastSequence\":\"99\"");
    }
  }

  @Test
  void shouldTellAClientThatNothingIsLeft() {
    feed.endAtOnce(FeedEnd.Reason.COMPLETE, "");
    served.client.send("GET", PATH, new byte[0]);
    assertThat(served.client.receiveHead().status()).isEqualTo(204);
  }

  @ParameterizedTest
  @CsvSource({"OUT_OF_RANGE, 11", "OTHER_LOG, 9", "SLOW, 8", "CLOSED, 14", "COMPLETE, 0"})
  void shouldTellByAnEventThatItEndsLater(FeedEnd.Reason reason, int code) throws Exception {
    served.client.send("GET", PATH, new byte[0]);
    feed.reader(0).step(1, task(EffectKinds.INSERTED, "a", "q"));
    feed.reader(0).end(reason, "because");
    RawResponse response = served.client.receive();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).contains("event: inserted");
    String end = response.text().substring(response.text().indexOf("event: end"));
    assertThat(data(end).at("/code").asInt()).isEqualTo(code);
    assertThat(feeds.count()).isZero();
    assertThat(served.client.get("/healthz").status()).as("the connection is kept").isEqualTo(200);
  }

  @Test
  void shouldSendCommentsWhileNothingHappens() throws Exception {
    try (HttpQueue beating =
        new HttpQueue(
            HttpServerConfig.builder(0).claimHeartbeat(Duration.ofMillis(5)), feeds::before)) {
      beating.client.send("GET", PATH, new byte[0]);
      assertThat(beating.client.receiveHead().status()).isEqualTo(200);
      assertThat(beating.client.chunk()).isEqualTo(": \n\n");
      assertThat(beating.client.chunk()).isEqualTo(": \n\n");
      feed.reader(0).end(FeedEnd.Reason.OTHER_LOG, "because");
      String next = beating.client.chunk();
      while (next.equals(": \n\n")) {
        next = beating.client.chunk();
      }
      assertThat(next).startsWith("event: end\n");
      assertThat(data(next).at("/code").asInt()).isEqualTo(9);
    }
  }

  @Test
  void shouldTakeNoMoreThanASlowClientReads() {
    int steps = 400;
    byte[] value = new byte[100_000];
    try (RawHttp slow = RawHttp.slow(served.server.port())) {
      slow.send("GET", PATH + "?values=true", new byte[0]);
      for (int i = 1; i <= steps; i++) {
        feed.reader(0).step(i, valued("t" + i, "q", ValueKinds.BYTES, value));
      }
      feed.reader(0).end(FeedEnd.Reason.COMPLETE, "");
      RawResponse head = slow.receiveHead();
      assertThat(head.status()).isEqualTo(200);
      // The buffers of both ends have about 10 MB at most.
      assertThat(feed.reader(0).taken()).isLessThan(steps / 2);
      int events = 0;
      for (String chunk = slow.chunk(); !chunk.isEmpty(); chunk = slow.chunk()) {
        events += (int) chunk.lines().filter("event: inserted"::equals).count();
      }
      assertThat(events).isEqualTo(steps);
    }
  }

  @Test
  void shouldFreeThePlaceOfAClientThatLeaves() {
    Map<String, String> unused = begin(PATH);
    assertThat(feeds.count()).isEqualTo(1);
    served.client.close();
    until("the feed is closed", () -> feed.reader(0).isClosed());
    until("its place is free", () -> feeds.count() == 0);
  }

  @Test
  void shouldSendClientsAwayWhenTheServerStops() throws Exception {
    Map<String, String> unused = begin(PATH);
    assertThat(served.client.chunk()).contains("event: inserted");
    CompletableFuture<Boolean> drained =
        CompletableFuture.supplyAsync(() -> served.server.drain(Duration.ofSeconds(30)));
    String end = served.client.chunk();
    assertThat(end).startsWith("event: end\n");
    assertThat(data(end).at("/code").asInt()).isEqualTo(14);
    assertThat(drained.get(50, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldNotBeThereWithoutAFeed() {
    try (HttpQueue without = new HttpQueue()) {
      assertThat(without.client.get(PATH).status()).isEqualTo(501);
      assertThat(without.client.post(PATH, "{}").status()).isEqualTo(405);
    }
  }
}
