package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.LogException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine that is abandoned leaves to the next one. */
class AbandonTest {
  @TempDir Path directory;

  @Test
  void shouldKeepTheDirectoryUntilNobodyWritesASnapshotAnyMore() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    EngineEnvironment seams =
        EngineEnvironment.ofThisMachine()
            .withFaults(
                point -> {
                  if (point == FaultPoint.BEFORE_SNAPSHOT_NAMED) {
                    reached.countDown();
                    awaitUninterrupted(goesOn);
                  }
                });
    DrivenEngine engine = DrivenEngine.open(config(), (sequence, result) -> {}, seams);
    for (long i = 1; reached.getCount() > 0; i++) {
      insert(engine, i);
    }
    Thread abandoning = new Thread(engine::abandon);
    abandoning.start();
    Await.until("it waits", () -> abandoning.getState() == Thread.State.WAITING);
    assertThatThrownBy(() -> DrivenEngine.open(directory)).isInstanceOf(LogException.class);
    goesOn.countDown();
    abandoning.join();
    try (DrivenEngine next = DrivenEngine.open(directory)) {
      assertThat(next.taskCount()).isPositive();
    }
  }

  private EmbeddedConfig config() {
    return EmbeddedConfig.in(directory).segmentBytes(16 << 10).snapshotLogBytes(64 << 10).build();
  }

  private static void insert(DrivenEngine engine, long id) {
    TaskDataFields data = new TaskDataFields();
    data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    engine.modify().insert(new IdFields().set(8, id), data);
    engine.execute();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
