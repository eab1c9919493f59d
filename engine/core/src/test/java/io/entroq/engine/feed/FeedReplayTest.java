package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.embedded.Await;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryReader;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.maintenance.HistoryPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers of a running engine that begin with what is not in memory any more, or never was. */
class FeedReplayTest {
  private static final int ALL = Integer.MAX_VALUE;
  private static final int CALLS = 2_000;

  @TempDir private Path data;
  private final long seed = Long.getLong("test.seed", 1);

  private static FeedRequest from(Start start, boolean hasValues) {
    return new FeedRequest(
        start,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Set.of(),
        List.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        hasValues);
  }

  private static Start after(long sequence) {
    return new Start.After(sequence, ALL, null);
  }

  /** Polls in small portions until a step was marked. */
  private static SeenSteps readTo(FeedReader reader, SeenSteps seen, long step) {
    Await.until(
        "step " + step + " was shown",
        () -> {
          reader.poll(seen, 10_000);
          assertThat(reader.ended()).isEmpty();
          return seen.marked() >= step;
        });
    return seen;
  }

  /** What the directory itself says. */
  private SeenSteps reference(long after, boolean hasValues) {
    SeenSteps seen = new SeenSteps();
    try (HistoryDirectory directory = HistoryDirectory.open(data, HolePolicy.REFUSE, "test")) {
      new HistoryReader(new StateAt(directory, 1L << 30, ReplayWatch.NONE), hasValues)
          .read(HistoryPoint.at(after), HistoryPoint.END, seen);
    }
    return seen;
  }

  private static long last(EmbeddedEntroQ queue) {
    return queue.feed().kept().lastSequence();
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"OS", "DISK"})
  void shouldGoOnLiveAfterAReplayWithoutAGapOrARepeat(Durability durability) throws Exception {
    EmbeddedConfig config = EmbeddedConfig.in(data).durability(durability).build();
    SeenSteps seen = new SeenSteps();
    SeenSteps snapshot = new SeenSteps();
    int calls = durability == Durability.DISK ? CALLS / 4 : CALLS;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      RandomCalls random = new RandomCalls(queue, seed);
      random.run(calls);
      Thread worker = new Thread(() -> random.run(calls));
      worker.start();
      try (FeedReader reader = queue.feed().open(from(after(0), true));
          FeedReader second = queue.feed().open(from(new Start.Snapshot(), true))) {
        while (worker.isAlive()) {
          reader.poll(seen, ALL);
          second.poll(snapshot, ALL);
        }
        worker.join();
        readTo(reader, seen, last(queue));
        readTo(second, snapshot, last(queue));
        Await.until("both are live", () -> reads(queue, after(0), new SeenSteps(), 1));
      }
      List<Task> tasks = queue.tasks(TaskQuery.in("q0"));
      assertThat(tasks).isNotEmpty();
      assertThat(snapshot.state.items.values().stream().filter(line -> line.contains(" q0 ")))
          .hasSizeGreaterThanOrEqualTo(tasks.size());
    }
    SeenSteps expected = reference(0, true);
    assertThat(seen.effects).isEqualTo(expected.effects.subList(0, seen.effects.size()));
    assertThat(seen.effects).hasSameSizeAs(expected.effects);
    assertThat(snapshot.snapshot()).isPositive();
    assertThat(snapshot.effects)
        .isEqualTo(
            expected.effects.subList(
                expected.effects.size() - snapshot.effects.size(), expected.effects.size()));
    assertThat(snapshot.state.items).isEqualTo(expected.state.items);
    assertThat(String.join(" ", expected.state.items.keySet())).contains("task", "doc", "set");
    assertThat(expected.state.items.keySet()).anyMatch(key -> key.startsWith("policy"));
  }

  @Test
  void shouldBeginAtEachStepAndWithTheState() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(data).build())) {
      new RandomCalls(queue, seed).run(200);
      long last = last(queue);
      for (long step : new long[] {0, 1, last / 2, last / 2 + 1, last - 1}) {
        assertThat(read(queue, after(step), last).effects)
            .as("after %d of %d", step, last)
            .isEqualTo(reference(step, false).effects);
      }
      List<String> all = reference(0, false).effects;
      String within = all.stream().filter(each -> each.contains(".1 ")).findFirst().orElseThrow();
      long step = Long.parseLong(within.substring(0, within.indexOf('.')));
      assertThat(read(queue, new Start.After(step, 0, null), last).effects)
          .isEqualTo(all.subList(all.indexOf(within), all.size()));
      SeenSteps snapshot = read(queue, new Start.Snapshot(), last);
      assertThat(snapshot.effects).isEmpty();
      assertThat(snapshot.state.items).isEqualTo(reference(0, false).state.items);
    }
  }

  /** What a reader shows up to a step, as soon as it finds a place. */
  private static SeenSteps read(EmbeddedEntroQ queue, Start start, long step) {
    SeenSteps seen = new SeenSteps();
    Await.until("step " + step + " was shown", () -> reads(queue, start, seen, step));
    return seen;
  }

  private static boolean reads(EmbeddedEntroQ queue, Start start, SeenSteps seen, long step) {
    try (FeedReader reader = queue.feed().open(from(start, false))) {
      while (seen.marked() < step && reader.ended().isEmpty()) {
        reader.poll(seen, 10_000);
      }
      // The places of readers that were closed are free soon.
      reader
          .ended()
          .ifPresent(
              end -> {
                assertThat(end.reason()).isEqualTo(FeedEnd.Reason.EXHAUSTED);
                assertThat(seen.effects).isEmpty();
              });
      return reader.ended().isEmpty();
    }
  }

  @Test
  void shouldShowStepsThatAreTooLargeForTheMemoryOfTheFeed() {
    byte[] large = new byte[FeedHub.RING_BYTES / 64 - 48];
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(data).build())) {
      try (FeedReader reader = queue.feed().open(from(new Start.Now(), true))) {
        SeenSteps seen = new SeenSteps();
        Await.until(
            "it has begun",
            () -> {
              queue.modify(Modification.insert("q", "v")).orThrow();
              reader.poll(seen, ALL);
              return !seen.effects.isEmpty();
            });
        readTo(reader, seen, last(queue));
        int before = seen.effects.size();
        Modification.Builder step = Modification.builder();
        for (int i = 0; i < 8; i++) {
          step.insert("q", Value.bytes(large));
        }
        queue.modify(step.build()).orThrow();
        queue.modify(Modification.insert("q", "after")).orThrow();
        readTo(reader, seen, last(queue));
        assertThat(seen.effects).hasSize(before + 9);
      }
    }
  }

  /** Positions of effects and their tasks. Checks that they, and marks, only go on. */
  private static final class SeenTasks implements EffectConsumer {
    private final List<String> lines = new ArrayList<>();
    private long last;
    private long marked;
    private int marks;

    @Override
    public void onEffect(EffectReader effect) {
      long sequence = effect.step().sequence();
      assertThat(sequence).isGreaterThanOrEqualTo(last).isGreaterThan(marked);
      last = sequence;
      if (effect.isOfTask()) {
        IdKey id = new IdKey(effect.idHigh(), effect.idLow(), "");
        lines.add("%d.%d %s".formatted(sequence, effect.index(), id.v1Text()));
      }
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      assertThat(sequence).isGreaterThanOrEqualTo(Math.max(last, marked));
      assertThat(logTimeMs).isPositive();
      marked = sequence;
      marks++;
    }
  }

  /** Of tasks of several lives of the engine, while it goes on. */
  @Test
  void shouldShowSingleTasksOfAnEngineThatKeepsHistory() {
    EmbeddedConfig config =
        EmbeddedConfig.in(data)
            .segmentBytes(16 << 10)
            .snapshotLogBytes(64 << 10)
            .history(HistoryPolicy.ofBytes(1L << 30))
            .build();
    List<String> ids = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
        RandomCalls random = new RandomCalls(queue, seed + life, life * 1_000_000);
        while (queue.stats().snapshots().taken() < 2) {
          random.run(50);
          ids.add(insert(queue));
        }
        if (life == 2) {
          assertShown(queue, random, ids);
        }
      }
    }
  }

  private static String insert(EmbeddedEntroQ queue) {
    Modification insert = Modification.insert("single", "v");
    return queue.modify(insert).orThrow().inserted().get(0).id().text();
  }

  private void assertShown(EmbeddedEntroQ queue, RandomCalls random, List<String> ids) {
    long last = last(queue);
    Set<String> tasks = Set.of(ids.get(0), ids.get(ids.size() / 2), "never");
    List<String> all = lines(queue, after(0), Set.of(), last);
    List<String> expected =
        all.stream().filter(line -> tasks.contains(line.substring(line.indexOf(' ') + 1))).toList();
    assertThat(expected).hasSize(2);
    assertThat(lines(queue, after(0), tasks, last)).isEqualTo(expected);
    assertThat(lines(queue, new Start.Time(0), tasks, last)).isEqualTo(expected);
    assertThat(lines(queue, after(last / 4), Set.of("never"), last)).isEmpty();

    // It comes back to what happens now, which has the task again.
    SeenTasks seen = new SeenTasks();
    try (FeedReader reader = queue.feed().open(of(after(0), tasks, Long.MAX_VALUE))) {
      random.run(20);
      Await.until(
          "it is live",
          () -> {
            reader.poll(seen, 10_000);
            return seen.marked >= last && queue.feed().stats().replays() == 0;
          });
      Task task = queue.tasks(TaskQuery.withIds(TaskId.of(ids.get(0)))).get(0);
      queue.modify(Modification.delete(task)).orThrow();
      Await.until(
          "its end is shown",
          () -> {
            reader.poll(seen, 10_000);
            return seen.lines.size() == expected.size() + 1;
          });
    }
    assertThat(seen.lines.subList(0, expected.size())).isEqualTo(expected);
  }

  private List<String> lines(EmbeddedEntroQ queue, Start start, Set<String> tasks, long until) {
    SeenTasks[] seen = new SeenTasks[1];
    Await.until(
        "all was shown",
        () -> {
          seen[0] = new SeenTasks();
          try (FeedReader reader = queue.feed().open(of(start, tasks, until))) {
            while (reader.ended().isEmpty()) {
              reader.poll(seen[0], 10_000);
            }
            // The places of readers that were closed are free soon.
            return reader.ended().orElseThrow().reason() == FeedEnd.Reason.COMPLETE;
          }
        });
    assertThat(seen[0].marked).isEqualTo(until);
    assertThat(seen[0].marks).isPositive();
    return seen[0].lines;
  }

  private static FeedRequest of(Start start, Set<String> tasks, long until) {
    return new FeedRequest(
        start, until, Long.MAX_VALUE, Set.of(), List.of(), Set.of(), Set.of(), tasks, false);
  }

  @Test
  void shouldNameTheFirstStepThatIsKept() {
    EmbeddedConfig config =
        EmbeddedConfig.in(data).segmentBytes(16 << 10).snapshotLogBytes(64 << 10).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      Await.until(
          "the begin of the log was removed",
          () -> {
            queue.modify(Modification.insert("cycle", Value.bytes(new byte[100]))).orThrow();
            Task task = queue.tryClaim(Claim.from("cycle")).orElseThrow();
            queue.modify(Modification.delete(task)).orThrow();
            return queue.stats().snapshots().logBytesFreed() > 0;
          });
      for (Start start : List.of(after(0), new Start.Time(1))) {
        // More may still be removed.
        Await.until("it begins where it was told to", () -> isFirstNamed(queue, start));
      }
    }
  }

  private boolean isFirstNamed(EmbeddedEntroQ queue, Start start) {
    try (FeedReader reader = queue.feed().open(from(start, false))) {
      Await.until("it has ended", () -> reader.poll(new SeenSteps(), ALL) == 0 && hasEnded(reader));
      FeedEnd end = reader.ended().orElseThrow();
      if (end.reason() == FeedEnd.Reason.EXHAUSTED) {
        return false;
      }
      assertThat(end.reason()).isEqualTo(FeedEnd.Reason.OUT_OF_RANGE);
      long first = Long.parseLong(end.text().substring(end.text().lastIndexOf(' ') + 1));
      assertThat(first).isGreaterThan(1);
      try (FeedReader next = queue.feed().open(from(after(first - 1), false))) {
        SeenSteps seen = new SeenSteps();
        while (seen.marked() < last(queue) && !hasEnded(next)) {
          next.poll(seen, ALL);
        }
        if (hasEnded(next)) {
          return false;
        }
        assertThat(seen.effects).isEqualTo(reference(first - 1, false).effects);
        return true;
      }
    }
  }

  private static boolean hasEnded(FeedReader reader) {
    return reader.ended().isPresent();
  }

  @Test
  void shouldEndWithTheEngineAndLeaveNothingBehind() {
    FeedReader reader;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(data).build())) {
      new RandomCalls(queue, seed).run(200);
      reader = queue.feed().open(from(after(0), false));
      SeenSteps seen = new SeenSteps();
      Await.until("it has begun", () -> reader.poll(seen, 1) > 0);
    }
    assertThat(reader.ended().orElseThrow().reason()).isEqualTo(FeedEnd.Reason.CLOSED);
    assertThat(reader.poll(new SeenSteps(), ALL)).isZero();
    assertThat(data.resolve("readers").toFile().list((dir, name) -> name.startsWith("feed-")))
        .isNullOrEmpty();
  }
}
