package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import io.entroq.service.feed.Feeds;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The feed of a server that stops and starts again. */
@Timeout(300)
class RemoteFeedTest {
  private static final int OPERATIONS = 200;
  private static final Duration MOMENT = Duration.ofMillis(20);

  @TempDir private Path directory;
  private final Random random = new Random(26);
  private final List<Effect> seen = new ArrayList<>();
  private EmbeddedEntroQ engine;
  private Feeds feeds;
  private GrpcServer server;
  private int port;
  private EntroQ queue;

  @BeforeEach
  void open() throws IOException {
    start();
    queue = Served.connect(port, Over.STREAM);
  }

  @AfterEach
  void close() {
    queue.close();
    stop();
  }

  private void start() throws IOException {
    engine = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build());
    serve();
  }

  private void serve() throws IOException {
    feeds = new Feeds(engine.feed(), engine.gateway()::logId);
    server =
        GrpcServer.start(
            engine.gateway(),
            GrpcServerConfig.on(port),
            service -> new ValidatedService(feeds.before(service)));
    port = server.port();
  }

  private void cut() {
    server.close();
    feeds.close();
  }

  private void stop() {
    cut();
    engine.close();
  }

  @Test
  void shouldShowEachEffectOnceWhileConnectionsAreLost() throws Exception {
    try (FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().build())) {
      until("it is open", () -> feeds.count() == 1);
      CompletableFuture<Void> work =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 3; i++) {
                  work(engine);
                }
              });
      for (int i = 0; i < 2; i++) {
        int before = seen.size();
        read(feed, () -> seen.size() > before + OPERATIONS / 2);
        cut();
        read(feed, () -> feed.problem().isPresent());
        serve();
      }
      work.join();
      // What came before the last cut may be all there is.
      read(feed, () -> hasAll(feed) && feed.problem().isEmpty());
    }
    assertSeenAll();
  }

  @Test
  void shouldGoOnWhenTheServerWasRestarted() throws Exception {
    try (FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().build())) {
      until("it is open", () -> feeds.count() == 1);
      work(queue);
      for (int i = 0; i < 2; i++) {
        read(feed, () -> hasAll(feed));
        stop();
        read(feed, () -> feed.problem().isPresent());
        start();
        read(feed, () -> feeds.count() == 1);
        work(queue);
      }
      read(feed, () -> hasAll(feed));
    }
    assertSeenAll();
  }

  /** All that the log says from the first effect on. */
  private void assertSeenAll() {
    long before = seen.get(0).position().orElseThrow().sequence() - 1;
    List<JsonNode> told =
        Cli.on(directory, "tail", "--json", "--from", before).assertGood().lines();
    assertThat(seen.stream().map(RemoteFeedTest::text))
        .hasSizeGreaterThan(3 * OPERATIONS)
        .containsExactlyElementsOf(told.stream().map(RemoteFeedTest::text).toList());
  }

  private void read(FeedIterator feed, BooleanSupplier isEnough) throws InterruptedException {
    while (!isEnough.getAsBoolean()) {
      feed.next(MOMENT).ifPresent(seen::add);
    }
  }

  /** Whether it has come to the end of the log. */
  private boolean hasAll(FeedIterator feed) {
    return feed.position().map(this::isLast).orElse(false);
  }

  private boolean isLast(FeedPosition position) {
    return position.index() == FeedPosition.WHOLE_STEP
        && position.sequence() == engine.feed().kept().lastSequence();
  }

  private void work(EntroQ queue) {
    for (int i = 0; i < OPERATIONS; i++) {
      String name = "queue/" + random.nextInt(3);
      Optional<Task> task = queue.tryClaim(Claim.from(name).withLease(Duration.ofMinutes(1)));
      if (task.isEmpty() || random.nextInt(3) == 0) {
        queue.modify(Modification.insert(name, "task " + i)).orThrow();
      } else if (random.nextBoolean()) {
        queue.modify(Modification.delete(task.get())).orThrow();
      } else {
        Change change = Change.of(task.get()).moveTo("queue/" + random.nextInt(3));
        queue.modify(Modification.change(change)).orThrow();
      }
    }
  }

  private static String text(Effect effect) {
    FeedPosition position = effect.position().orElseThrow();
    return "%d-%d %s %s"
        .formatted(
            position.sequence(),
            position.index(),
            effect.kind().name().toLowerCase(Locale.ROOT),
            effect.task().orElseThrow().id());
  }

  private static String text(JsonNode effect) {
    return "%s %s %s"
        .formatted(
            effect.get("position").asText(),
            effect.get("kind").asText(),
            effect.get("id").asText());
  }

  @Test
  void shouldShowWhatAnEffectIs() throws Exception {
    FeedQuery query =
        FeedQuery.fromNow()
            .queues("inbox")
            .kinds(EffectKind.INSERTED, EffectKind.MOVED)
            .withValues()
            .build();
    try (FeedIterator feed = Feed.of(queue).iterator(query)) {
      until("it is open", () -> feeds.count() == 1);
      Task task = queue.modify(Modification.insert("inbox", "hello")).orThrow().inserted().get(0);
      queue.modify(Modification.insert("other", "hello")).orThrow();
      Task moved =
          queue
              .modify(Modification.change(Change.of(task).moveTo("done")))
              .orThrow()
              .changed()
              .get(0);
      read(feed, () -> seen.size() == 2);
      assertThat(seen)
          .extracting(Effect::kind)
          .containsExactly(EffectKind.INSERTED, EffectKind.MOVED);
      assertThat(seen)
          .extracting(effect -> effect.task().orElseThrow())
          .containsExactly(task, moved);
      assertThat(seen)
          .extracting(Effect::formerQueue)
          .containsExactly(Optional.empty(), Optional.of("inbox"));
      assertThat(seen).extracting(Effect::requester).containsOnly(queue.claimant());
    }
  }

  @Test
  void shouldGiveThePlaceBack() throws Exception {
    FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().build());
    until("it is open", () -> feeds.count() == 1);
    feed.close();
    until("it is closed", () -> feeds.count() == 0);

    Recorder recorder = new Recorder();
    Feed.of(queue).publisher(FeedQuery.fromNow().queues("inbox").build()).subscribe(recorder);
    until("it is open", () -> feeds.count() == 1 && recorder.subscription != null);
    until(
        "one is shown",
        () -> {
          queue.modify(Modification.insert("inbox", "hello")).orThrow();
          return !recorder.seen.isEmpty();
        });
    recorder.subscription.cancel();
    until("it is closed", () -> feeds.count() == 0);
    assertThat(recorder.seen).hasSize(1);
  }

  @Test
  void shouldSayThatAPositionIsOfTheFutureOrOfAnotherLog() {
    queue.modify(Modification.insert("inbox", "hello")).orThrow();
    long last = engine.feed().kept().lastSequence();
    FeedQuery tooLate = FeedQuery.after(FeedPosition.after(last + 1_000)).build();
    try (FeedIterator feed = Feed.of(queue).iterator(tooLate)) {
      assertThatThrownBy(feed::next)
          .isInstanceOfSatisfying(
              EntroQException.OutOfRange.class,
              why -> assertThat(why.last()).isGreaterThanOrEqualTo(last));
    }
    FeedPosition other = FeedPosition.of(last + "@" + "0123456789abcdef".repeat(2));
    try (FeedIterator feed = Feed.of(queue).iterator(FeedQuery.after(other).build())) {
      assertThatThrownBy(feed::next)
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("log");
    }
  }

  /** Asks for one effect. */
  private static final class Recorder implements Flow.Subscriber<Effect> {
    private final List<Object> seen = new CopyOnWriteArrayList<>();
    private volatile Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
      subscription = newSubscription;
      newSubscription.request(1);
    }

    @Override
    public void onNext(Effect effect) {
      seen.add(effect);
    }

    @Override
    public void onError(Throwable why) {
      seen.add(why);
    }

    @Override
    public void onComplete() {
      seen.add("complete");
    }
  }
}
