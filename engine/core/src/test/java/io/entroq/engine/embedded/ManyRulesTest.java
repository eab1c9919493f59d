package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.Policies.Target;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * As many limiters as are allowed, and a pool with a million keys, also after they are reopened.
 */
@Tag("long")
@Timeout(600)
class ManyRulesTest {
  private static final int LIMITERS = 100_000;
  private static final int KEYS = 1_000_000;

  /** The last keys have one task more than the others. */
  private static final int BUSY_KEYS = 1_000;

  private static final int BATCH = 1_000;

  /** A queue with its tasks and its place in a pool takes about 650. */
  private static final long BYTES_MAX = 1_000;

  private static final Duration LEASE = Duration.ofHours(1);

  @TempDir private Path directory;

  private EmbeddedEntroQ open() {
    return EmbeddedEntroQ.open(
        EmbeddedConfig.in(directory)
            .memoryBytesMax(4L << 30)
            .snapshotLogBytes(1 << 20)
            .snapshotInterval(Duration.ofSeconds(1))
            .build());
  }

  /** The next engine opens the snapshot and replays the few commands after it. */
  private static void awaitSnapshot(EmbeddedEntroQ queue) {
    long written = queue.stats().appendedSequence();
    Await.until(
        "there is a snapshot", () -> queue.stats().snapshots().sequence() >= written - BATCH);
  }

  private static void inBatches(int count, IntConsumer batch) {
    for (int from = 0; from < count; from += BATCH) {
      batch.accept(from);
    }
  }

  private static void report(String what, long bytes, int count) {
    System.out.printf("%s: %d bytes each%n", what, bytes / count);
    assertThat(bytes / count).as(what).isBetween(1L, BYTES_MAX);
  }

  @Test
  void shouldKeepManyLimiters() {
    try (EmbeddedEntroQ queue = open()) {
      long empty = queue.stats().memoryBytes();
      inBatches(LIMITERS, from -> putLimiters(queue, from));
      long ruled = queue.stats().memoryBytes();
      report("limiter and the policy that names it", ruled - empty, LIMITERS);
      inBatches(LIMITERS, from -> insertTwice(queue, from));
      report("queue with two tasks", queue.stats().memoryBytes() - ruled, LIMITERS);
      inBatches(LIMITERS / 2, from -> claimOneOfEach(queue, from));
      awaitSnapshot(queue);
    }
    try (EmbeddedEntroQ queue = open()) {
      assertThat(queue.policies().list(Policies.Query.of(Policies.Kind.LIMITER)))
          .hasSize(LIMITERS)
          .allMatch(entry -> entry.inFlight() == (number(entry.target()) < LIMITERS / 2 ? 1 : 0));
      inBatches(
          LIMITERS,
          from -> {
            List<Task> claimed = queue.tryClaimMany(claim(from));
            assertThat(claimed).hasSize(from < LIMITERS / 2 ? 0 : BATCH);
          });
    }
  }

  private static int number(Target limiter) {
    return Integer.parseInt(limiter.name().substring(1));
  }

  private static void putLimiters(EmbeddedEntroQ queue, int from) {
    Modification.Builder puts = Modification.builder();
    for (int i = from; i < from + BATCH; i++) {
      puts.write(new Policies.Put(Limiter.of("l" + i).inFlight(1), Optional.empty()));
      puts.write(new Policies.Put(QueuePolicy.of("q" + i).limiters("l" + i), Optional.empty()));
    }
    queue.modify(puts.build()).orThrow();
  }

  private static void insertTwice(EmbeddedEntroQ queue, int from) {
    Modification.Builder inserts = Modification.builder();
    for (int i = from; i < from + BATCH; i++) {
      inserts.insert(Insert.into("q" + i)).insert(Insert.into("q" + i));
    }
    queue.modify(inserts.build()).orThrow();
  }

  private static Claim claim(int from) {
    List<String> names = new ArrayList<>();
    for (int i = from; i < from + BATCH; i++) {
      names.add("q" + i);
    }
    return Claim.from(names).withLease(LEASE).withLimit(BATCH);
  }

  private static void claimOneOfEach(EmbeddedEntroQ queue, int from) {
    assertThat(queue.tryClaimMany(claim(from)))
        .hasSize(BATCH)
        .extracting(Task::queue)
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldClaimFairlyFromAMillionKeys() {
    BitSet started = new BitSet(KEYS);
    try (EmbeddedEntroQ queue = open()) {
      queue.policies().put(QueuePolicy.of("p").pool(QueuePolicy.Fairness.ROUND_ROBIN));
      long empty = queue.stats().memoryBytes();
      inBatches(KEYS, from -> insert(queue, from));
      inBatches(BUSY_KEYS, from -> insert(queue, KEYS - BUSY_KEYS + from));
      report("key with a task", queue.stats().memoryBytes() - empty, KEYS);
      inBatches(KEYS / 2, from -> claimEach(queue, started));
      awaitSnapshot(queue);
    }
    try (EmbeddedEntroQ queue = open()) {
      inBatches(KEYS / 2, from -> claimEach(queue, started));
      assertThat(started.cardinality()).as("each key once before any twice").isEqualTo(KEYS);
      assertThat(queue.tryClaimMany(claimOfPool()))
          .hasSize(BUSY_KEYS)
          .allMatch(task -> key(task) >= KEYS - BUSY_KEYS);
      assertThat(queue.tryClaim(Claim.from("p"))).isEmpty();
      QueueStats stats = queue.queueStats(QueueQuery.named("p/0")).get("p/0");
      assertThat(stats.inFlight()).isOne();
    }
  }

  private static void insert(EmbeddedEntroQ queue, int from) {
    Modification.Builder inserts = Modification.builder();
    for (int i = from; i < from + BATCH; i++) {
      inserts.insert(Insert.into("p").withKey(Integer.toString(i)));
    }
    queue.modify(inserts.build()).orThrow();
  }

  private static Claim claimOfPool() {
    return Claim.from("p").withLease(LEASE).withLimit(BATCH);
  }

  private static int key(Task task) {
    return Integer.parseInt(task.queue().substring(2));
  }

  private static void claimEach(EmbeddedEntroQ queue, BitSet started) {
    List<Task> claimed = queue.tryClaimMany(claimOfPool());
    assertThat(claimed).hasSize(BATCH);
    for (Task task : claimed) {
      assertThat(started.get(key(task))).as(task.queue()).isFalse();
      started.set(key(task));
    }
  }
}
