package io.entroq.tools.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InterruptionTest {
  private final CompletableFuture<Void> request = new CompletableFuture<>();
  private final Interruption interruption = new Interruption("test", request);

  @AfterEach
  void close() {
    interruption.close();
  }

  @Test
  void shouldKeepNothingOfAWaitThatHasEnded() {
    for (int i = 0; i < 100; i++) {
      CompletableFuture<Integer> result = new CompletableFuture<>();
      result.completeAsync(() -> 7);
      assertThat(interruption.await(result)).hasValue(7);
    }
    assertThat(request.getNumberOfDependents()).isZero();
  }

  @Test
  void shouldCancelWhatIsWaitedFor() {
    CompletableFuture<Integer> never = new CompletableFuture<>();
    CompletableFuture<Void> asked =
        CompletableFuture.runAsync(
            () -> {
              while (never.getNumberOfDependents() == 0) {
                Thread.onSpinWait();
              }
              interruption.request();
            });
    assertThat(interruption.await(never)).isEmpty();
    assertThat(never).isCancelled();
    asked.join();
    assertThat(interruption.await(new CompletableFuture<>())).isEmpty();
  }

  @Test
  void shouldTakeAResultThatIsThereAlready() {
    interruption.request();
    assertThat(interruption.await(CompletableFuture.completedFuture(7))).hasValue(7);
  }

  @Test
  void shouldFailAsTheResultDoes() {
    CompletableFuture<Integer> failed =
        CompletableFuture.failedFuture(new IllegalStateException("broken"));
    assertThatThrownBy(() -> interruption.await(failed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
    assertThat(request.getNumberOfDependents()).isZero();
  }
}
