package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryBoundTest {
  private static final long BOUND = 8L << 20;

  private final EmbeddedConfig config = EmbeddedConfig.inMemory().memoryBytesMax(BOUND).build();

  @Test
  void shouldRefuseInsertsAndGoOnWithTheRestWhenMemoryIsUsedUp() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      int inserted = fill(queue);
      long sequence = queue.engine().store().core().machine().sequence();
      assertThatThrownBy(() -> insert(queue))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessageContaining("memoryBytesMax allows 8,388,608")
          .hasMessageContaining("%,d tasks and 0 docs take".formatted(inserted))
          .hasMessageContaining("Delete tasks")
          .hasMessageContaining("-XX:MaxDirectMemorySize");
      assertThat(queue.modifyAsync(Modification.insert("q", Value.bytes(new byte[1_000]))))
          .failsWithin(Duration.ofSeconds(10));
      assertThat(queue.engine().store().core().machine().sequence()).isEqualTo(sequence);
      assertThat(queue.stats().writesRefusedForMemory()).isEqualTo(3);
      assertThat(queue.tasks(TaskQuery.in("q").withLimit(5))).hasSize(5);

      Task task = queue.tryClaim(Claim.from("q")).orElseThrow();
      queue.modify(Modification.delete(task)).orThrow();
      insert(queue);
      assertThatThrownBy(() -> insert(queue)).isInstanceOf(EntroQException.ResourceExhausted.class);
    }
  }

  @Test
  void shouldNotOutgrowTheBound() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      fill(queue);
      long bytes = queue.engine().store().core().machine().memoryBytes();
      assertThat(bytes).isBetween(BOUND, BOUND + (3 << 20));
    }
  }

  @Test
  void shouldRenewLeasesWhenThereIsNoPlaceLeft() {
    for (int bytes : new int[] {1_000, 100_000}) {
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
        fill(queue, bytes);
        useUpReserve(queue, bytes);
        fill(queue, bytes);
        List<Task> held = queue.tryClaimMany(Claim.from("q").withLimit(10));
        for (int i = 0; i < 3; i++) {
          held = queue.renewAll(held, Duration.ofSeconds(30));
        }
        assertThat(held).hasSize(10);
        // It is refused for what it is, not for want of room.
        Task gone = held.get(0);
        queue.modify(Modification.delete(gone)).orThrow();
        assertThat(queue.modify(Modification.change(Change.of(gone).availableNow())))
            .isInstanceOf(ModifyResult.DependencyFailure.class);
      }
    }
  }

  @Test
  void shouldKeepAReserveForTheReasonsOfFailures() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      fill(queue, 1_000);
      Task task = queue.tryClaim(Claim.from("q")).orElseThrow();
      Change failed = Change.of(task).withAttempt(1, "x".repeat(200)).moveTo("q/err");
      queue.modify(Modification.change(failed)).orThrow();
      // Inserts get the place that it has left, and no more.
      insert(queue);
      assertThatThrownBy(() -> insert(queue)).isInstanceOf(EntroQException.ResourceExhausted.class);
    }
  }

  @Test
  void shouldRefuseClaimsOfNewDocSetsWhenTheReserveIsUsedUp() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      fill(queue);
      DocClaim first = DocClaim.of("users", "first");
      queue.claimDocs(first).orThrow();
      assertThatThrownBy(() -> claimNewSets(queue))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessageContaining("memoryBytesMax allows 8,388,608");
      long bytes = queue.engine().store().core().machine().memoryBytes();
      assertThat(bytes).isBetween(BOUND, BOUND + (4 << 20));
      queue.claimDocs(first).orThrow();
      Task task = queue.tryClaim(Claim.from("q")).orElseThrow();
      queue.modify(Modification.delete(task)).orThrow();
    }
  }

  private static void claimNewSets(EmbeddedEntroQ queue) {
    for (int i = 0; i < 200_000; i++) {
      queue.claimDocs(DocClaim.of("users", "key " + i)).orThrow();
    }
  }

  /** Has tasks grow until not even a change gets more memory. */
  private static void useUpReserve(EmbeddedEntroQ queue, int bytes) {
    try {
      for (int added = 100; added < bytes; added += bytes / 10) {
        for (Task task : queue.tasks(TaskQuery.in("q"))) {
          Value longer = Value.bytes(new byte[bytes + added]);
          queue.modify(Modification.change(Change.of(task).withValue(longer))).orThrow();
        }
      }
    } catch (EntroQException.ResourceExhausted e) {
      return;
    }
    throw new AssertionError("never refused");
  }

  @Test
  void shouldLeaveToTheFeedByDefaultWhatItMayTake() {
    EmbeddedConfig.Builder directory = EmbeddedConfig.in(Path.of("data"));
    long alone = directory.readOnly(true).build().memoryBytesMax();
    long inMemory = EmbeddedConfig.inMemory().build().memoryBytesMax();
    long inDirectory = directory.readOnly(false).build().memoryBytesMax();
    assertThat(alone).isPositive().isLessThan(Runtime.getRuntime().maxMemory());
    assertThat(inMemory).isLessThan(alone);
    assertThat(inDirectory).isLessThan(inMemory);
    assertThat(directory.replayBytesMax(0).build().memoryBytesMax()).isEqualTo(inMemory);
    assertThat(directory.replayBytesMax(0).build().replayBytesMax()).isZero();
    assertThat(EmbeddedConfig.inMemory().build().replayBytesMax()).isZero();
  }

  private static int fill(EmbeddedEntroQ queue) {
    return fill(queue, 1_000);
  }

  private static int fill(EmbeddedEntroQ queue, int bytes) {
    int inserted = 0;
    try {
      while (inserted < 100_000) {
        insert(queue, bytes);
        inserted++;
      }
    } catch (EntroQException.ResourceExhausted e) {
      return inserted;
    }
    throw new AssertionError("never refused");
  }

  private static void insert(EmbeddedEntroQ queue) {
    insert(queue, 1_000);
  }

  private static void insert(EmbeddedEntroQ queue, int bytes) {
    queue.modify(Modification.insert("q", Value.bytes(new byte[bytes]))).orThrow();
  }
}
