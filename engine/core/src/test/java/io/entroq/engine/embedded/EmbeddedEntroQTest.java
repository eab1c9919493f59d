package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedEntroQTest {
  @TempDir Path directory;

  @Test
  void shouldInsertClaimAndDelete() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      ModifyResult.Committed done = queue.modify(Modification.insert("q", "v")).orThrow();
      Task inserted = done.inserted().get(0);
      assertThat(inserted.version()).isZero();
      Task claimed = queue.claim(Claim.from("q"));
      assertThat(claimed.id()).isEqualTo(inserted.id());
      assertThat(claimed.text()).isEqualTo("v");
      assertThat(claimed.version()).isEqualTo(1);
      assertThat(claimed.claimant()).isEqualTo(queue.claimant());
      assertThat(queue.queues(QueueQuery.all())).containsEntry("q", 1L);
      assertThat(queue.tasks(TaskQuery.in("q"))).containsExactly(claimed);
      queue.modify(Modification.delete(claimed)).orThrow();
      assertThat(queue.queues(QueueQuery.all())).isEmpty();
    }
  }

  /** A claim's other queue turns out to be free of a limiter when the claim parks on it. */
  @Test
  void shouldAnswerAClaimThatParksAndIsServedInOneStep() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build())) {
      queue.policies().put(Limiter.of("x").inFlight(1));
      queue.policies().put(QueuePolicy.of("a").limiters("x"));
      queue.policies().put(QueuePolicy.of("b").limiters("x"));
      queue.modify(Modification.insert("a", "v")).orThrow();
      queue.modify(Modification.insert("b", "v")).orThrow();
      queue.claim(Claim.from("a"));
      queue.policies().put(QueuePolicy.of("a"));
      assertThat(queue.claim(Claim.from("b", "a")).queue()).isEqualTo("b");
    }
  }
}
