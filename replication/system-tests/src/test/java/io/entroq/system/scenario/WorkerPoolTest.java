package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.system.history.OperationKind;
import io.entroq.system.history.Violation;
import io.entroq.system.load.HistoryRecorder;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trial without progress fails. */
class WorkerPoolTest {
  private static final Set<OperationKind> WRITES = EnumSet.of(OperationKind.MODIFY);
  private static final Duration SOON = Duration.ofMillis(300);
  private static final long SEED = 1;

  @TempDir Path directory;

  @Test
  void shouldWaitUntilAllGetOn() throws Exception {
    try (HistoryRecorder recorder = HistoryRecorder.to(directory.resolve("history"));
        EntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
        WorkerPool workers = WorkerPool.start(recorder, List.of(queue), SEED)) {
      assertThat(workers.awaitProgress(WRITES, WorkerPool.LIMIT)).isEmpty();
      assertThat(workers.finish()).isEmpty();
    }
  }

  @Test
  void shouldFindWhoeverDoesNotGetOn() throws Exception {
    EntroQ refusing =
        answering(() -> CompletableFuture.failedFuture(new EntroQException.Unavailable("not now")));
    try (HistoryRecorder recorder = HistoryRecorder.to(directory.resolve("history"));
        WorkerPool workers = WorkerPool.start(recorder, List.of(refusing), SEED)) {
      assertThat(workers.awaitProgress(WRITES, SOON))
          .extracting(Violation::what)
          .containsExactly("w0 makes no progress and waits for [MODIFY]");
      assertThat(workers.finish()).isEmpty();
    }
  }

  @Test
  void shouldFindWhoeverDies() throws Exception {
    EntroQ broken =
        answering(
            () -> {
              throw new IllegalStateException("planted");
            });
    try (HistoryRecorder recorder = HistoryRecorder.to(directory.resolve("history"));
        WorkerPool workers = WorkerPool.start(recorder, List.of(broken), SEED)) {
      assertThat(workers.awaitProgress(WRITES, WorkerPool.LIMIT)).isNotEmpty();
      assertThat(workers.finish())
          .extracting(Violation::what)
          .containsExactly("w0 has died: java.lang.IllegalStateException: planted");
    }
  }

  /** A queue with the same answer to every call. */
  private static EntroQ answering(Supplier<CompletableFuture<?>> answer) {
    return (EntroQ)
        Proxy.newProxyInstance(
            EntroQ.class.getClassLoader(),
            new Class<?>[] {EntroQ.class},
            (proxy, method, args) -> method.getName().equals("close") ? null : answer.get());
  }
}
