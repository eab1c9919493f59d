package io.entroq.service.feed;

import static io.entroq.service.feed.ScriptedFeed.moved;
import static io.entroq.service.feed.ScriptedFeed.position;
import static io.entroq.service.feed.ScriptedFeed.task;
import static io.entroq.service.feed.ScriptedFeed.valued;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.api.EntroQException;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.Doc;
import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.EffectKind;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Principal;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedServiceTest {
  private static final CallContext CONTEXT = CallContext.of("test");
  private static final long FEATURE_FEED = 1 << 10;

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
  private final Service plain = service(Facade.V1);
  private final ScriptedFeed feed = new ScriptedFeed();
  private final Feeds feeds = feed.feeds();
  private final Service service = feeds.before(plain);

  private Service service(Facade facade) {
    return new QueueService(facade, queue.gateway(), new BlockedClaims(), 1 << 20);
  }

  @AfterEach
  void close() {
    feeds.close();
    queue.close();
  }

  private Call open(TailRequest.Builder request, HeardFeed heard) {
    return service.handle(Method.TAIL, CONTEXT, request.build(), heard);
  }

  private HeardFeed open(TailRequest.Builder request) {
    HeardFeed heard = new HeardFeed();
    Call unused = open(request, heard);
    return heard;
  }

  private static TailRequest.Builder all() {
    return TailRequest.newBuilder();
  }

  // Responses.

  @Test
  void shouldTellWhatHappenedAndWhere() {
    HeardFeed heard = open(all());
    feed.reader(0)
        .step(41, task(EffectKinds.INSERTED, "a", "q"), task(EffectKinds.CLAIMED, "b", "q"));
    TailResponse first = heard.responses(1).get(0);
    assertThat(first.getLogId()).isEqualTo(FeedPosition.bytes(ScriptedFeed.LOG));
    assertThat(first.getKept())
        .isEqualTo(
            FeedRange.newBuilder()
                .setFirstSequence(10)
                .setLastSequence(99)
                .setFirstTimeMs(7_000)
                .build());
    assertThat(first.getPosition()).isEqualTo(position("41"));
    assertThat(first.getTimeMs()).isEqualTo(ScriptedFeed.TIME_MS);
    assertThat(first.getEffectsList()).extracting(Effect::getIndex).containsExactly(0, 1);
    assertThat(first.getEffects(0))
        .isEqualTo(
            Effect.newBuilder()
                .setKind(EffectKind.EFFECT_INSERTED)
                .setSequence(41)
                .setTimeMs(ScriptedFeed.TIME_MS)
                .setInsertSequence(5)
                .setRequester("me")
                .setTask(Task.newBuilder().setId("a").setQueue("q").setVersion(7))
                .build());
    feed.reader(0).mark(42);
    assertThat(heard.responses(2).get(1))
        .isEqualTo(
            TailResponse.newBuilder()
                .setPosition(position("42"))
                .setTimeMs(ScriptedFeed.TIME_MS)
                .build());
  }

  @Test
  void shouldTellOfDocsAndPolicies() {
    UnsafeBuffer policy = new UnsafeBuffer(new byte[100]);
    byte[] name = {'p'};
    int length =
        new PolicyEncoder()
            .wrap(policy, 0)
            .name(new UnsafeBuffer(name), 0, name.length)
            .inFlightMax(3)
            .length();
    HeardFeed heard = open(all());
    feed.reader(0)
        .step(
            1,
            writer -> {
              ScriptedFeed.begin(writer, EffectKinds.DOC_INSERTED, "d");
              ScriptedFeed.part(writer, EffectParts.ID_TEXT, "d");
              ScriptedFeed.part(writer, EffectParts.NAMESPACE, "n");
              ScriptedFeed.part(writer, EffectParts.KEY, "k");
              ScriptedFeed.part(writer, EffectParts.SECONDARY_KEY, "s");
            },
            writer -> {
              writer.effect(1, EffectKinds.SET_WRITTEN, 0).version(3).count(2);
              ScriptedFeed.part(writer, EffectParts.NAMESPACE, "n");
              ScriptedFeed.part(writer, EffectParts.KEY, "k");
            },
            writer ->
                writer
                    .effect(2, EffectKinds.POLICY_WRITTEN, 0)
                    .version(2)
                    .dueMs(9)
                    .part(EffectParts.POLICY, policy, 0, length),
            writer -> {
              writer.effect(3, EffectKinds.BREAKER_OPENED, 0).dueMs(11);
              ScriptedFeed.part(writer, EffectParts.QUEUE, "q");
            });
    List<Effect> effects = heard.responses(1).get(0).getEffectsList();
    Doc.Builder set = Doc.newBuilder().setNamespace("n").setKey("k");
    assertThat(effects.get(0).getDoc())
        .isEqualTo(set.clone().setId("d").setSecondaryKey("s").setVersion(7).build());
    assertThat(effects.get(1).getDoc()).isEqualTo(set.setVersion(3).setLen(2).build());
    assertThat(effects.get(1).getRequester()).isEmpty();
    assertThat(effects.get(2).getPolicy())
        .isEqualTo(
            PolicyState.newBuilder()
                .setPolicy(Policy.newBuilder().setName("p").setInFlightMax(3))
                .setVersion(2)
                .setPausedUntilMs(9)
                .build());
    assertThat(effects.get(3).getPolicy())
        .isEqualTo(
            PolicyState.newBuilder()
                .setPolicy(Policy.newBuilder().setName("q"))
                .setPausedUntilMs(11)
                .build());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldShowValuesAsTheCallerReadsThem(boolean isRaw) {
    byte[] bytes = {1, 2};
    byte[] json = Values.ofText("text");
    HeardFeed heard = open(all().setValues(true).setRawValues(isRaw));
    assertThat(feed.reader(0).request().hasValues()).isTrue();
    feed.reader(0)
        .step(
            1, valued("a", "q", ValueKinds.BYTES, bytes), valued("b", "q", ValueKinds.JSON, json));
    List<Effect> effects = heard.responses(1).get(0).getEffectsList();
    Task first = effects.get(0).getTask();
    assertThat(isRaw ? first.getRaw() : first.getValue())
        .isEqualTo(ByteString.copyFrom(isRaw ? bytes : Values.toV1(bytes)));
    assertThat(effects.get(1).getTask().getValue()).isEqualTo(ByteString.copyFrom(json));
  }

  @Test
  void shouldDivideALargeStepAndNotSayThatOneMayResumeWithinIt() {
    byte[] value = new byte[700_000];
    HeardFeed heard = HeardFeed.reading(1);
    Call call = open(all().setValues(true), heard);
    feed.reader(0)
        .step(
            3,
            valued("a", "q", ValueKinds.BYTES, value),
            valued("b", "q", ValueKinds.BYTES, value),
            task(EffectKinds.CLAIMED, "c", "q"));
    heard.responses(1);
    CompletableFuture<Void> idle = new CompletableFuture<>();
    until("nothing is under way", () -> isIdle(idle));
    assertThat(heard.count()).as("the caller reads one at a time").isEqualTo(1);
    heard.read(1);
    call.ready();
    List<TailResponse> responses = heard.responses(2);
    assertThat(responses.get(0).getEffectsCount()).isEqualTo(1);
    assertThat(responses.get(0).getPosition()).isEmpty();
    assertThat(responses.get(1).getEffectsCount()).isEqualTo(2);
    assertThat(responses.get(1).getPosition()).isEqualTo(position("3"));
  }

  @Test
  void shouldTellNoPositionBeforeASnapshotIsComplete() {
    HeardFeed heard = open(all().setSnapshot(true));
    assertThat(feed.reader(0).request().start()).isEqualTo(new Start.Snapshot());
    feed.reader(0).step(50, task(EffectKinds.INSERTED, "a", "q"));
    TailResponse within = heard.responses(1).get(0);
    assertThat(within.getPosition()).isEmpty();
    assertThat(within.getSnapshotComplete()).isFalse();
    feed.reader(0).snapshotEnd(50);
    TailResponse complete = heard.responses(2).get(1);
    assertThat(complete.getSnapshotComplete()).isTrue();
    assertThat(complete.getPosition()).isEqualTo(position("50"));
    feed.reader(0).step(51, task(EffectKinds.CLAIMED, "a", "q"));
    TailResponse after = heard.responses(3).get(2);
    assertThat(after.getSnapshotComplete()).isFalse();
    assertThat(after.getPosition()).isEqualTo(position("51"));
  }

  @Test
  void shouldNotMixTheStateWithWhatHappenedLater() {
    HeardFeed heard = HeardFeed.reading(0);
    Call call = open(all().setSnapshot(true), heard);
    feed.reader(0).step(50, task(EffectKinds.INSERTED, "a", "q"));
    feed.reader(0).snapshotEnd(50);
    feed.reader(0).step(51, task(EffectKinds.CLAIMED, "a", "q"));
    heard.read(5);
    call.ready();
    List<TailResponse> responses = heard.responses(2);
    assertThat(responses.get(0).getSnapshotComplete()).isTrue();
    assertThat(responses.get(0).getPosition()).isEqualTo(position("50"));
    assertThat(responses.get(0).getEffectsCount()).isEqualTo(1);
    assertThat(responses.get(1).getSnapshotComplete()).isFalse();
    assertThat(responses.get(1).getPosition()).isEqualTo(position("51"));
  }

  // Flow.

  @Test
  void shouldTakeNothingMoreThanItsCallerReads() {
    HeardFeed heard = HeardFeed.reading(1);
    Call call = open(all(), heard);
    ScriptedFeed.Reader reader = feed.reader(0);
    byte[] large = new byte[100_000];
    for (int i = 1; i <= 50; i++) {
      reader.step(i, valued("t" + i, "q", ValueKinds.BYTES, large));
    }
    for (int read = 1; read <= 5; read++) {
      heard.responses(read);
      // Behind all that was due.
      CompletableFuture<Void> idle = new CompletableFuture<>();
      until("nothing is under way", () -> isIdle(idle));
      assertThat(heard.count()).isEqualTo(read);
      assertThat(reader.taken()).isEqualTo(read);
      heard.read(1);
      call.ready();
    }
    heard.read(100);
    call.ready();
    assertThat(heard.responses(50)).extracting(TailResponse::getPosition).doesNotHaveDuplicates();
  }

  /** Whether the threads of feeds have come to what was put in line last. */
  private boolean isIdle(CompletableFuture<Void> idle) {
    feeds.execute(() -> feeds.execute(() -> idle.complete(null)));
    return idle.isDone();
  }

  @Test
  void shouldTellEachStepOnceToACallerThatIsWokenAllTheTime() {
    HeardFeed heard = new HeardFeed();
    Call call = open(all(), heard);
    for (int i = 1; i <= 2_000; i++) {
      feed.reader(0).step(i, task(EffectKinds.INSERTED, "t" + i, "q"));
      call.ready();
    }
    until("all is read", () -> feed.reader(0).isAwaited());
    List<Long> sequences = new ArrayList<>();
    heard
        .responses(heard.count())
        .forEach(r -> r.getEffectsList().forEach(e -> sequences.add(e.getSequence())));
    assertThat(sequences).hasSize(2_000).isSorted().doesNotHaveDuplicates();
  }

  // Where it begins, and what it shows.

  @Test
  void shouldResumeAfterAPosition() {
    open(all().setPosition(position("41-3")));
    assertThat(feed.reader(0).request().start())
        .isEqualTo(new Start.After(41, 3, ScriptedFeed.LOG, ScriptedFeed.TIME_MS));
    open(all().setPosition(position("41")).setUntil("50"));
    assertThat(feed.reader(1).request().start())
        .isEqualTo(
            new Start.After(41, FeedPosition.WHOLE_STEP, ScriptedFeed.LOG, ScriptedFeed.TIME_MS));
    assertThat(feed.reader(1).request().untilSequence()).isEqualTo(50);
    assertThat(feed.reader(1).request().untilTimeMs()).isEqualTo(Long.MAX_VALUE);
    open(all().setPosition("0"));
    assertThat(feed.reader(2).request().start())
        .isEqualTo(new Start.After(0, FeedPosition.WHOLE_STEP, null));
    open(all().setTimeMs(7));
    assertThat(feed.reader(3).request().start()).isEqualTo(new Start.Time(7));
    open(all().setNow(true));
    assertThat(feed.reader(4).request()).isEqualTo(FeedRequest.all(new Start.Now()));
  }

  @Test
  void shouldAskForWhatTheCallerNames() {
    open(
        all()
            .addQueues("q")
            .addPrefixes("a/")
            .addPrefixes("")
            .addNamespaces("n")
            .addKinds(EffectKind.EFFECT_DIED)
            .addTaskIds("t")
            .addTaskIds("t"));
    assertThat(feed.reader(0).request())
        .isEqualTo(
            new FeedRequest(
                new Start.Now(),
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Set.of("q"),
                List.of("a/", ""),
                Set.of("n"),
                Set.of(EffectKinds.DIED),
                Set.of("t"),
                false));
  }

  @ParameterizedTest
  @CsvSource({
    "queues, 1000, limit feed-queues: queues: 1%s001 are given",
    "prefixes, 100, limit feed-prefixes: prefixes: 101 are given",
    "namespaces, 100, limit feed-namespaces: namespaces: 101 are given",
    "ids, 1000, limit feed-ids: task_ids: 1%s001 are given"
  })
  void shouldBoundFilters(String filter, int max, String message) {
    TailRequest.Builder request = all();
    for (int i = 0; i < max; i++) {
      add(request, filter, "x" + i);
    }
    open(request);
    assertThat(feed.opened()).isEqualTo(1);
    add(request, filter, "one more");
    Refusal refusal = open(request).refused();
    assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal.message()).startsWith("tail: " + message.formatted(","));
    assertThat(feed.opened()).isEqualTo(1);
  }

  private static void add(TailRequest.Builder request, String filter, String name) {
    switch (filter) {
      case "queues" -> request.addQueues(name);
      case "prefixes" -> request.addPrefixes(name);
      case "namespaces" -> request.addNamespaces(name);
      default -> request.addTaskIds(name);
    }
  }

  @Test
  void shouldEndWithATime() {
    open(all().setTimeMs(41).setUntilTimeMs(50));
    assertThat(feed.reader(0).request().untilTimeMs()).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "position",
        "until",
        "below",
        "time_ms",
        "until_time_ms",
        "earlier",
        "now",
        "snapshot",
        "kinds",
        "none",
        "queues",
        "namespaces",
        "task_ids",
        "long"
      })
  void shouldRefuseMalformedRequests(String what) {
    TailRequest.Builder request = all();
    switch (what) {
      case "position" -> request.setPosition("x");
      case "until" -> request.setUntil("x");
      case "below" -> request.setPosition("5").setUntil("4");
      case "time_ms" -> request.setTimeMs(-1);
      case "until_time_ms" -> request.setUntilTimeMs(-1);
      case "earlier" -> request.setTimeMs(5).setUntilTimeMs(4);
      case "now" -> request.setNow(false);
      case "snapshot" -> request.setSnapshot(false);
      case "kinds" -> request.addKindsValue(99);
      case "none" -> request.addKinds(EffectKind.EFFECT_NONE);
      case "queues" -> request.addQueues("");
      case "namespaces" -> request.addNamespaces("");
      case "task_ids" -> request.addTaskIds("");
      default -> request.addTaskIds("x".repeat(2_000));
    }
    Refusal refusal = open(request).refused();
    assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    String field =
        switch (what) {
          case "below" -> "until";
          case "earlier" -> "until_time_ms";
          case "none" -> "kinds";
          case "long" -> "task_ids";
          default -> what;
        };
    assertThat(refusal.message()).startsWith("tail: " + field + ": ");
    assertThat(feed.opened()).isZero();
  }

  // Ends.

  @ParameterizedTest
  @EnumSource(FeedEnd.Reason.class)
  void shouldEndAsTheReaderDoes(FeedEnd.Reason reason) {
    HeardFeed heard = open(all());
    feed.reader(0).step(1, task(EffectKinds.INSERTED, "a", "q"));
    feed.reader(0).end(reason, "because");
    if (reason == FeedEnd.Reason.COMPLETE) {
      heard.awaitComplete();
    } else {
      assertEnd(heard.refused(), reason);
    }
    assertThat(heard.count()).as("what was told before").isEqualTo(1);
    assertThat(feed.reader(0).isClosed()).isTrue();
    assertThat(feeds.count()).isZero();
  }

  private static void assertEnd(Refusal refusal, FeedEnd.Reason reason) {
    assertThat(refusal.code())
        .isEqualTo(
            switch (reason) {
              case OUT_OF_RANGE, FUTURE -> Status.Code.OUT_OF_RANGE;
              case OTHER_LOG -> Status.Code.FAILED_PRECONDITION;
              case EXHAUSTED, SLOW -> Status.Code.RESOURCE_EXHAUSTED;
              case FAULT -> Status.Code.INTERNAL;
              case AWAY, CLOSED -> Status.Code.UNAVAILABLE;
              case COMPLETE -> Status.Code.OK;
            });
    assertThat(refusal.message()).startsWith("tail: because");
    if (refusal.code() == Status.Code.OUT_OF_RANGE) {
      assertThat(refusal.message()).endsWith("(first 10, last 99)");
    }
    if (refusal.code() == Status.Code.OUT_OF_RANGE || reason == FeedEnd.Reason.AWAY) {
      assertThat(refusal.details().toString()).contains("first_sequence: 10", "last_sequence: 99");
    } else {
      assertThat(refusal.details()).isEmpty();
    }
  }

  @Test
  void shouldEndBeforeItBegins() {
    feed.endAtOnce(FeedEnd.Reason.OUT_OF_RANGE, "because");
    HeardFeed heard = open(all());
    assertEnd(heard.refused(), FeedEnd.Reason.OUT_OF_RANGE);
    assertThat(heard.count()).isZero();
    feed.refuse(new EntroQException.ResourceExhausted("too many readers"));
    Refusal refusal = open(all()).refused();
    assertThat(refusal.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.message()).isEqualTo("tail: too many readers");
    assertThat(feeds.count()).isZero();
  }

  @Test
  void shouldEndWithAFaultOfTheReader() {
    HeardFeed heard = open(all());
    feed.reader(0).fail();
    assertThat(heard.refused()).isEqualTo(Refusal.FAULT);
    assertThat(feed.reader(0).isClosed()).isTrue();
    assertThat(feeds.count()).isZero();
  }

  @Test
  void shouldSendCallersAwayWhenTheServerStops() {
    HeardFeed idle = open(all());
    HeardFeed stuck = HeardFeed.reading(0);
    Call unused = open(all(), stuck);
    feed.reader(1).step(1, task(EffectKinds.INSERTED, "a", "q"));
    feeds.end();
    HeardFeed late = open(all());
    for (HeardFeed heard : List.of(idle, stuck, late)) {
      assertThat(heard.refused().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(heard.count()).isZero();
    }
    assertThat(feeds.count()).isZero();
  }

  @Test
  void shouldEndACallThatIsWithdrawn() {
    HeardFeed heard = new HeardFeed();
    open(all(), heard).withdraw();
    assertThat(heard.refused().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void shouldEndWithTheTokenOfItsCaller() {
    long expiresAtS = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()) + 1;
    Principal caller = new Principal("ann", "issuer", List.of("a"), expiresAtS, "{}");
    HeardFeed heard = new HeardFeed();
    Call unused =
        service.handle(Method.TAIL, CONTEXT.by(caller), TailRequest.getDefaultInstance(), heard);
    feed.reader(0).step(1, task(EffectKinds.INSERTED, "a", "q"));
    assertThat(heard.refused().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(expiresAtS * 1_000);
    assertThat(feed.reader(0).isClosed()).isTrue();
  }

  @Test
  void shouldBoundHowManyAreOpenAndFreeThePlaceOfOneThatLeaves() {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      calls.add(open(all(), new HeardFeed()));
    }
    assertThat(feeds.count()).isEqualTo(256);
    Refusal refusal = open(all()).refused();
    assertThat(refusal.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.message())
        .isEqualTo(
            "tail: limit feeds: too many feeds: 256 of at most 256 are open. Try again later");
    assertThat(feed.opened()).isEqualTo(256);
    calls.get(7).cancel();
    calls.get(7).cancel();
    assertThat(feed.reader(7).isClosed()).isTrue();
    assertThat(feeds.count()).isEqualTo(255);
    HeardFeed heard = open(all());
    feed.reader(256).step(1, moved(EffectKinds.MOVED, "a", "from", "to"));
    assertThat(heard.responses(1).get(0).getEffects(0).getFormerQueue()).isEqualTo("from");
    assertThat(open(all()).refused().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  // Other methods.

  @Test
  void shouldTellWhatIsKept() throws Exception {
    assertThat(get(service, Method.RANGE, RangeRequest.getDefaultInstance()))
        .isEqualTo(
            FeedRange.newBuilder()
                .setFirstSequence(10)
                .setLastSequence(99)
                .setFirstTimeMs(7_000)
                .build());
  }

  @Test
  void shouldSayThatThereIsAFeed() throws Exception {
    TimeRequest request = TimeRequest.getDefaultInstance();
    TimeResponse time = (TimeResponse) get(service, Method.TIME, request);
    assertThat(time.getFeatures() & FEATURE_FEED).isNotZero();
    assertThat(time.getTimeMs()).isPositive();
    assertThat(((TimeResponse) get(plain, Method.TIME, request)).getFeatures() & FEATURE_FEED)
        .isZero();
    Service old = feeds.before(service(Facade.V0));
    assertThat(((TimeResponse) get(old, Method.TIME, request)).getFeatures()).isZero();
  }

  @Test
  void shouldNotBeThereWithoutAFeed() throws Exception {
    HeardFeed heard = new HeardFeed();
    plain.handle(Method.TAIL, CONTEXT, TailRequest.getDefaultInstance(), heard);
    assertThat(heard.refused().code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    Refusal range = (Refusal) get(plain, Method.RANGE, RangeRequest.getDefaultInstance());
    assertThat(range.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  /** The response of a call, or its error. */
  private static <Q extends com.google.protobuf.Message, S extends com.google.protobuf.Message>
      Object get(Service asked, Method<Q, S> method, Q request) throws Exception {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    Call unused =
        asked.handle(
            method,
            CONTEXT,
            request,
            new Reply<S>() {
              @Override
              public void position(long position) {}

              @Override
              public void send(S response) {
                answer.complete(response);
              }

              @Override
              public void fail(Refusal refusal) {
                answer.complete(refusal);
              }
            });
    return answer.get(50, TimeUnit.SECONDS);
  }
}
