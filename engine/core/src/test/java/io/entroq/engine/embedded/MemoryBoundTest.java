package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
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
      assertThat(queue.figures().writesRefusedForMemory()).isEqualTo(3);
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
  void shouldTakeAnEighthLessThanTheJvmAllowsByDefault() {
    long bytes = EmbeddedConfig.inMemory().build().memoryBytesMax();
    assertThat(bytes).isPositive().isLessThan(Runtime.getRuntime().maxMemory());
  }

  private static int fill(EmbeddedEntroQ queue) {
    int inserted = 0;
    try {
      while (inserted < 100_000) {
        insert(queue);
        inserted++;
      }
    } catch (EntroQException.ResourceExhausted e) {
      return inserted;
    }
    throw new AssertionError("never refused");
  }

  private static void insert(EmbeddedEntroQ queue) {
    queue.modify(Modification.insert("q", Value.bytes(new byte[1_000]))).orThrow();
  }
}
