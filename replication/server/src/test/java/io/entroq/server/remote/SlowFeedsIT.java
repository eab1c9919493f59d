package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.wire.published.feed.TailRequest;
import io.entroq.codec.wire.published.feed.TailResponse;
import io.entroq.server.cli.ServerProcess;
import io.entroq.service.grpc.WireClient;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers of a feed that take nothing, or little, beside one that takes everything. */
@Tag("long")
@Timeout(300)
class SlowFeedsIT {
  private static final String TAIL = "entroq.v1.Feed/Tail";
  private static final Pattern OPEN_FEEDS =
      Pattern.compile("^entroq_feed_readers(?:\\{.*})? (\\S+)$", Pattern.MULTILINE);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int SLOW = 50;
  private static final int WINDOW_BYTES = 64 << 10;

  /** Together more than the ring of 64 MiB, which therefore overtakes who is slow. */
  private static final int STEPS = 3_000;

  private static final int VALUE_BYTES = 32 << 10;

  /** With what the slow readers have not taken, it would need many times as much. */
  private static final List<String> LITTLE_MEMORY =
      List.of("-Xmx160m", "-XX:MaxDirectMemorySize=256m");

  /** So many readers read the history at a time. */
  private static final int REPLAYS_MAX = 2;

  @TempDir private Path directory;
  private final List<SlowReader> slow = new ArrayList<>();
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    server =
        ServerProcess.start(
            LITTLE_MEMORY,
            0,
            "--data=" + directory.resolve("data"),
            "--durability=os",
            "--history=1h",
            "--stall-max=3s");
  }

  @AfterEach
  void stop() throws Exception {
    slow.forEach(SlowReader::close);
    server.close();
  }

  @Test
  void shouldHoldNobodyUpAndEndClearly() throws Exception {
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    List<Effect> seen = new ArrayList<>();
    try (EntroQ queue = Served.connect(server.port(), Over.STREAM);
        FeedIterator quick =
            Feed.of(queue).iterator(FeedQuery.fromNow().kinds(EffectKind.INSERTED).build())) {
      while (seen.isEmpty()) {
        pass(queue, "begin");
        quick.next(Duration.ofMillis(100)).ifPresent(seen::add);
      }
      long aloneNs = work(queue, quick, seen, "alone ");
      for (int i = 0; i < SLOW; i++) {
        slow.add(new SlowReader(server.port()));
      }
      until("all have begun", () -> haveBegun(queue));
      int open = openFeeds();
      List<SlowReader> idle = slow.subList(0, SLOW / 2);
      List<SlowReader> sipping = slow.subList(SLOW / 2, SLOW);
      clock.scheduleAtFixedRate(() -> sipping.forEach(SlowReader::takeOne), 0, 1, TimeUnit.SECONDS);

      long besideNs = work(queue, quick, seen, "beside ");

      System.out.printf(
          "%,d steps of %,d bytes: %,d ms alone, %,d ms beside %d slow readers%n",
          STEPS, VALUE_BYTES, aloneNs / 1_000_000, besideNs / 1_000_000, SLOW);
      assertThat(quick.problem()).isEmpty();
      until(
          "all but those that read history are sent away",
          PATIENCE,
          () -> openFeeds() <= open - SLOW + REPLAYS_MAX);
      // Why they were, comes behind what they have not taken.
      idle.forEach(SlowReader::takeRest);
      until("they know", PATIENCE, () -> areOver(idle));
      assertThat(idle)
          .allSatisfy(
              reader -> assertThat(reader.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE))
          .allSatisfy(reader -> assertThat(reader.end().getDescription()).contains("stall"));
      until(
          "of those that take little, two at most read history",
          PATIENCE,
          () -> sipping.stream().filter(reader -> !reader.isOver()).count() <= REPLAYS_MAX);
      assertThat(sipping.stream().filter(SlowReader::isOver))
          .allSatisfy(
              reader ->
                  assertThat(reader.end().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED))
          .allSatisfy(
              reader -> assertThat(reader.end().getDescription()).contains("limit replays"));
      clock.shutdown();
      assertThat(clock.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      slow.forEach(SlowReader::close);

      List<String> ids = seen.stream().map(SlowFeedsIT::id).toList();
      assertThat(slow).allSatisfy(reader -> assertThat(ids).containsSequence(reader.taken()));
      assertResumes(queue, idle.get(0), ids);
      assertResumes(queue, sipping.get(0), ids);
    } finally {
      clock.shutdownNow();
    }
    assertThat(server.isAlive()).isTrue();
    assertThat(server.errors()).doesNotContain("OutOfMemory");
  }

  /** Inserts, while the quick reader reads, until it has read all of that; returns how long. */
  private static long work(EntroQ queue, FeedIterator quick, List<Effect> seen, String prefix)
      throws Exception {
    long beginNs = System.nanoTime();
    CompletableFuture<Void> work =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < STEPS; i++) {
                pass(queue, prefix + i);
              }
            });
    int next = 0;
    while (next < STEPS) {
      Optional<Effect> effect = quick.next(PATIENCE);
      assertThat(effect).as(() -> "it goes on; problem: " + quick.problem()).isPresent();
      seen.add(effect.get());
      if (id(effect.get()).equals(prefix + next)) {
        next++;
      } else {
        assertThat(next).as("the order of " + id(effect.get())).isZero();
      }
    }
    work.get(1, TimeUnit.MINUTES);
    return System.nanoTime() - beginNs;
  }

  /** Inserts a task and deletes it. */
  private static void pass(EntroQ queue, String id) {
    Insert insert = Insert.into("inbox").withId(id).withValue(Value.bytes(new byte[VALUE_BYTES]));
    Task task = queue.modify(Modification.insert(insert)).orThrow().inserted().get(0);
    queue.modify(Modification.delete(task)).orThrow();
  }

  private static String id(Effect effect) {
    return effect.task().orElseThrow().id().text();
  }

  /** A feed with values begins with the next step. */
  private boolean haveBegun(EntroQ queue) {
    pass(queue, "begin");
    return slow.stream().allMatch(SlowReader::hasBegun);
  }

  private int openFeeds() {
    URI metrics = URI.create("http://127.0.0.1:" + server.httpPort() + "/metrics");
    String text =
        HttpClient.newHttpClient()
            .sendAsync(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
            .join()
            .body();
    Matcher readers = OPEN_FEEDS.matcher(text);
    assertThat(readers.find()).as(text).isTrue();
    return (int) Double.parseDouble(readers.group(1));
  }

  private static boolean areOver(List<SlowReader> readers) {
    return readers.stream().allMatch(SlowReader::isOver);
  }

  /** Whoever was sent away goes on where it was, from the history. */
  private static void assertResumes(EntroQ queue, SlowReader reader, List<String> ids)
      throws InterruptedException {
    List<String> taken = new ArrayList<>(reader.taken());
    FeedQuery rest =
        FeedQuery.after(FeedPosition.of(reader.position())).kinds(EffectKind.INSERTED).build();
    try (FeedIterator feed = Feed.of(queue).iterator(rest)) {
      String last = ids.get(ids.size() - 1);
      while (taken.isEmpty() || !taken.get(taken.size() - 1).equals(last)) {
        taken.add(id(feed.next(PATIENCE).orElseThrow()));
      }
    }
    assertThat(ids).endsWith(taken.toArray(new String[0]));
  }

  /** A reader on a connection of its own, which takes a response when it is told to. */
  private static final class SlowReader extends ClientCall.Listener<TailResponse>
      implements AutoCloseable {
    private final WireClient client;
    private final ClientCall<TailRequest, TailResponse> call;
    private final List<String> taken = new ArrayList<>();
    private String position = "";
    private Status end;

    /** Takes the first response, so that it has begun. */
    SlowReader(int port) {
      client = WireClient.withWindow(port, WINDOW_BYTES);
      TailRequest request =
          TailRequest.newBuilder()
              .addKinds(io.entroq.codec.wire.published.feed.EffectKind.EFFECT_INSERTED)
              .setValues(true)
              .build();
      call = client.begin(TAIL, request, TailResponse.getDefaultInstance(), this);
      takeOne();
    }

    void takeOne() {
      call.request(1);
    }

    void takeRest() {
      call.request(Integer.MAX_VALUE);
    }

    @Override
    public synchronized void onMessage(TailResponse response) {
      response.getEffectsList().forEach(effect -> taken.add(effect.getTask().getId()));
      position = response.getPosition();
    }

    @Override
    public synchronized void onClose(Status status, Metadata trailers) {
      end = status;
    }

    /** The tasks of the effects that it took. */
    synchronized List<String> taken() {
      return List.copyOf(taken);
    }

    synchronized String position() {
      return position;
    }

    boolean hasBegun() {
      return !position().isEmpty();
    }

    synchronized boolean isOver() {
      return end != null;
    }

    synchronized Status end() {
      return end;
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
