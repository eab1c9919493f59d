package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.engine.fault.FaultPoint;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine that breaks anywhere stops, answers everybody, and can be opened again. */
class FaultPointTest {
  @TempDir Path directory;

  private volatile FaultPoint armed;

  @ParameterizedTest
  @EnumSource(
      value = FaultPoint.class,
      names = {
        "AFTER_PREPARE_BEFORE_APPEND",
        "AFTER_APPEND_BEFORE_COMMIT",
        "AFTER_COMMIT_BEFORE_REPLY",
        "BEFORE_FORCE",
        "AFTER_FORCE_BEFORE_RELEASE"
      })
  void shouldStopAndAnswerEverybodyWhenItBreaks(FaultPoint point) throws Exception {
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(Durability.DISK).build();
    EmbeddedEntroQ queue =
        new EmbeddedEntroQ(
            config,
            EngineStore.open(config, EngineEnvironment.ofThisMachine().withFaults(this::reached)));
    queue.modify(Modification.insert("q", "before")).orThrow();
    CompletableFuture<List<Task>> waiting = queue.claimAsync(Claim.from("empty"));
    assertThat(queue.time()).isNotNull();

    armed = point;
    ModifyResult outcome = queue.modify(Modification.insert("q", "at the fault"));

    assertThat(outcome).isInstanceOf(ModifyResult.OutcomeUnknown.class);
    assertThat(((ModifyResult.OutcomeUnknown) outcome).reason()).contains("armed at " + point);
    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EntroQException.OutcomeUnknown.class);
    assertThatThrownBy(() -> queue.modify(Modification.insert("q", "after")))
        .isInstanceOf(EntroQException.class)
        .hasMessageContaining("armed at " + point);
    queue.close();

    try (EmbeddedEntroQ again = EmbeddedEntroQ.open(config)) {
      boolean isLogged = point != FaultPoint.AFTER_PREPARE_BEFORE_APPEND;
      assertThat(again.queues(QueueQuery.all())).containsEntry("q", isLogged ? 2L : 1L);
      assertThat(again.engine().store().core().machine().parkedCount()).isZero();
    }
  }

  private void reached(FaultPoint point) {
    if (point == armed) {
      throw new IllegalStateException("armed at " + point);
    }
  }
}
