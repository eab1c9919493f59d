package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.MemoryLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The feeds of engines: what they show, when, and that they come and go under load. */
class FeedTest {
  private static final int ALL = Integer.MAX_VALUE;

  @TempDir Path directory;

  /** The kinds of effects, and the steps that were marked. */
  private static final class Seen implements EffectConsumer {
    private final List<Integer> kinds = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private long marked;
    private long last;

    @Override
    public void onEffect(EffectReader effect) {
      assertThat(effect.step().sequence()).isGreaterThanOrEqualTo(last);
      last = effect.step().sequence();
      kinds.add(effect.kind());
      // An encoded Value, which ends with its text.
      values.add(effect.has(EffectParts.VALUE) ? value(effect) : "none");
    }

    private static String value(EffectReader effect) {
      int offset = effect.offset(EffectParts.VALUE);
      return effect.buffer().getStringWithoutLengthUtf8(offset, effect.length(EffectParts.VALUE));
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      assertThat(sequence).isGreaterThanOrEqualTo(last);
      marked = sequence;
    }
  }

  private static FeedReader openNow(EffectFeed feed) {
    return feed.open(FeedRequest.all(new Start.Now()));
  }

  /** Polls until there are so many effects. */
  private static Seen await(FeedReader reader, int effects) {
    Seen seen = new Seen();
    Await.until(
        effects + " effects were shown",
        () -> {
          reader.poll(seen, ALL);
          return seen.kinds.size() >= effects;
        });
    return seen;
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void shouldShowWhatHappensAfterAReaderWasOpened(Durability durability) {
    EmbeddedConfig.Builder config =
        durability == Durability.NONE ? EmbeddedConfig.inMemory() : EmbeddedConfig.in(directory);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config.durability(durability).build())) {
      queue.modify(Modification.insert("inbox", "before")).orThrow();
      FeedReader reader = openNow(queue.feed());
      queue.modify(Modification.insert("inbox", "after")).orThrow();
      Task task = queue.tryClaim(Claim.from("inbox")).orElseThrow();
      queue.modify(Modification.delete(task)).orThrow();

      assertThat(await(reader, 3).kinds)
          .containsExactly(EffectKinds.INSERTED, EffectKinds.CLAIMED, EffectKinds.DELETED);
    }
  }

  @Test
  void shouldTellWhoWaitsWithoutACommandInBetween() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      FeedReader reader = openNow(queue.feed());
      // Also an engine that sleeps takes notice of a reader, which then gets marks.
      Seen seen = new Seen();
      while (seen.marked == 0) {
        CountDownLatch told = new CountDownLatch(1);
        if (reader.await(told::countDown)) {
          told.await();
        }
        reader.poll(seen, ALL);
      }
      assertThat(seen.kinds).isEmpty();
    }
  }

  @Test
  void shouldShowAtDiskWhatIsForced() throws Exception {
    ForceSwitch disk = new ForceSwitch();
    EmbeddedConfig config = EmbeddedConfig.inMemory().durability(Durability.DISK).build();
    MemoryLog log = new MemoryLog(LogConfig.defaults().withForcer(disk), 1);
    EngineStore store = EngineStore.inMemory(config, log, EngineEnvironment.ofThisMachine());
    try (EmbeddedEntroQ queue = new EmbeddedEntroQ(config, store)) {
      disk.one();
      Await.until("the log has begun", () -> log.forcedSequence() == 1);
      FeedReader reader = openNow(queue.feed());
      CompletableFuture<ModifyResult> insert = queue.modifyAsync(Modification.insert("q", "v"));
      Await.until("a force has begun", () -> disk.asked() == 2);
      Await.until("it was executed", queue.engine()::isAsleep);
      Seen seen = new Seen();
      reader.poll(seen, ALL);
      assertThat(seen.kinds).isEmpty();
      assertThat(seen.marked).isLessThanOrEqualTo(1);
      assertThat(queue.feed().kept().lastSequence()).isEqualTo(1);

      disk.all();
      insert.get(30, TimeUnit.SECONDS).orThrow();
      assertThat(await(reader, 1).kinds).containsExactly(EffectKinds.INSERTED);
    }
  }

  /** The step is in the log but not on the disk, and the ring does not have it. */
  @Test
  void shouldReplayAtDiskWhatIsForced() throws Exception {
    AtomicBoolean isHeld = new AtomicBoolean();
    Semaphore forces = new Semaphore(0);
    EngineEnvironment environment =
        EngineEnvironment.ofThisMachine()
            .withFaults(
                point -> {
                  if (point == FaultPoint.BEFORE_FORCE && isHeld.get()) {
                    forces.acquireUninterruptibly();
                  }
                });
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(Durability.DISK).build();
    try (EmbeddedEntroQ queue = new EmbeddedEntroQ(config, EngineStore.open(config, environment))) {
      queue.modify(Modification.insert("q", "forced")).orThrow();
      isHeld.set(true);
      CompletableFuture<ModifyResult> insert = queue.modifyAsync(Modification.insert("q", "v"));
      Await.until("a force has begun", forces::hasQueuedThreads);
      Await.until("it was executed", queue.engine()::isAsleep);
      long forced = queue.feed().kept().lastSequence();
      FeedReader reader = queue.feed().open(FeedRequest.all(new Start.After(0, ALL, null)));
      Seen seen = new Seen();
      Await.until(
          "what is forced was shown",
          () -> {
            reader.poll(seen, ALL);
            return seen.marked == forced;
          });
      assertThat(seen.kinds).containsExactly(EffectKinds.INSERTED);

      isHeld.set(false);
      forces.release();
      insert.get(30, TimeUnit.SECONDS).orThrow();
      assertThat(await(reader, 1).kinds).containsExactly(EffectKinds.INSERTED);
    }
  }

  @Test
  void shouldEndReadersWhenTheEngineIsClosed() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    FeedReader reader;
    EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
    try (queue) {
      reader = openNow(queue.feed());
      while (!reader.await(told::countDown)) {
        reader.poll(new Seen(), ALL);
      }
    }
    told.await();
    assertThat(reader.poll(new Seen(), ALL)).isZero();
    reader.close();
    FeedReader late = openNow(queue.feed());
    assertThat(late.ended().orElseThrow().reason()).isEqualTo(FeedEnd.Reason.CLOSED);
    queue.feed().kept();
  }

  @Test
  void shouldShowValuesWhileSomebodyWantsThem() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      FeedReader plain = openNow(queue.feed());
      queue.modify(Modification.insert("q", "1")).orThrow();
      assertThat(await(plain, 1).values).containsExactly("none");
      FeedReader reader =
          queue
              .feed()
              .open(
                  new FeedRequest(
                      new Start.Now(),
                      Long.MAX_VALUE,
                      Long.MAX_VALUE,
                      Set.of(),
                      List.of(),
                      Set.of(),
                      Set.of(),
                      Set.of(),
                      true));
      queue.modify(Modification.insert("q", "2")).orThrow();
      assertThat(await(reader, 1).values).singleElement().asString().endsWith("2");
      reader.close();
      queue.modify(Modification.insert("q", "3")).orThrow();
      List<String> values = await(plain, 2).values;
      assertThat(values.get(0)).as("written for the other").endsWith("2");
      assertThat(values.get(1)).isEqualTo("none");
    }
  }

  @Test
  void shouldGoOnAfterAPositionWithANewReader() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      FeedReader first = openNow(queue.feed());
      queue.modify(Modification.insert("q", "1")).orThrow();
      long marked = await(first, 1).marked;
      first.close();
      queue.modify(Modification.insert("q", "2")).orThrow();
      FeedReader next =
          queue.feed().open(FeedRequest.all(new Start.After(marked, ALL, queue.gateway().logId())));
      assertThat(await(next, 1).kinds).containsExactly(EffectKinds.INSERTED);
    }
  }

  /** The ring is made and freed again and again while commands are executed. */
  @Test
  void shouldComeAndGoUnderLoad() throws Exception {
    SimulatedEngine simulated = new SimulatedEngine(directory, 1);
    try (DrivenEngine engine = simulated.open()) {
      FeedHub feed = (FeedHub) engine.feed();
      Rounds rounds = new Rounds(feed, simulated);
      Thread readers = new Thread(rounds);
      readers.start();
      while (readers.isAlive()) {
        synchronized (simulated) {
          simulated.work(20);
        }
      }
      readers.join();
      assertThat(rounds.failure).isNull();
      assertThat(rounds.effects).isGreaterThanOrEqualTo(Rounds.COUNT * Rounds.EFFECTS);
    }
  }

  private static final class Rounds implements Runnable {
    private static final int COUNT = 5;
    private static final int EFFECTS = 100;

    private final FeedHub feed;
    private final SimulatedEngine simulated;
    private int effects;
    private Throwable failure;

    Rounds(FeedHub feed, SimulatedEngine simulated) {
      this.feed = feed;
      this.simulated = simulated;
    }

    @Override
    public void run() {
      try {
        for (int i = 0; i < COUNT; i++) {
          try (FeedReader reader = openNow(feed)) {
            effects += await(reader, EFFECTS).kinds.size();
          }
          synchronized (simulated) {
            simulated.pass(Duration.ofMinutes(2));
          }
          feed.step();
        }
      } catch (Throwable t) {
        failure = t;
      }
    }
  }

  @Test
  void shouldTellReadersOfADrivenEngineWhenItIsPolled() {
    SimulatedEngine simulated = new SimulatedEngine(directory, 1);
    try (DrivenEngine engine = simulated.open()) {
      FeedReader reader = openNow(engine.feed());
      engine.poll();
      List<String> told = new ArrayList<>();
      assertThat(reader.await(() -> told.add("told"))).isTrue();
      simulated.work(1);
      assertThat(told).isEmpty();
      engine.poll();
      assertThat(told).containsExactly("told");
      engine.abandon();
      assertThat(reader.ended().orElseThrow().reason()).isEqualTo(FeedEnd.Reason.CLOSED);
    }
  }
}
