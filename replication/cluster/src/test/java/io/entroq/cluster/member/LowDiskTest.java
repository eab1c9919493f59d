package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.cluster.retention.Retention;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.figures.EngineFigures;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a member refuses whose disk has less free than it is told to leave. */
class LowDiskTest {
  private static final String QUEUE = "inbox";

  /** More than any disk has. */
  private static final long EVERYTHING = 1L << 50;

  private static final int TASKS = 10;

  @TempDir Path directory;

  private static EmbeddedConfig floors(long lowBytes, long fullBytes) {
    return EmbeddedConfig.inMemory()
        .commandBytesMax(MemberConfig.COMMAND_BYTES_MAX)
        .diskLowBytes(lowBytes)
        .diskFullBytes(fullBytes)
        .build();
  }

  private void fill(LoneMember lone) {
    for (int i = 0; i < TASKS; i++) {
      insert(lone);
    }
  }

  private static void insert(LoneMember lone) {
    Value value = Value.bytes(new byte[30_000]);
    lone.member().queue().modify(Modification.insert(QUEUE, value)).orThrow();
  }

  @Test
  void shouldRefuseInsertsAndHaveSnapshotsTakenThatLetLogGo() throws Exception {
    Retention muchLog = new Retention(1 << 20, Duration.ofHours(1), 64 << 20);
    try (LoneMember lone = new LoneMember(directory)) {
      lone.start(settings -> settings.bootstrap(true).retention(muchLog)).awaitLeader();
      fill(lone);
      assertThat(lone.member().status().snapshots()).isZero();
      lone.stop();

      lone.start(
              settings ->
                  settings.retention(muchLog).bounds(floors(EVERYTHING, 64 << 20)))
          .awaitLeader();
      assertThatThrownBy(() -> insert(lone))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessageContaining("bytes are free on the file system of " + directory)
          .hasMessageContaining("diskLowBytes keeps")
          .hasMessageContaining("Nothing was done. Make room there");
      Task task = lone.member().queue().tryClaim(Claim.from(QUEUE)).orElseThrow();
      Change renewed = Change.of(task).availableIn(Duration.ofMinutes(1));
      Task held =
          lone.member().queue().modify(Modification.change(renewed)).orThrow().changed().get(0);
      lone.member().queue().modify(Modification.delete(held)).orThrow();
      EngineFigures figures = lone.member().figures().orElseThrow();
      assertThat(figures.writesRefusedForDisk()).isEqualTo(1);
      assertThat(figures.isDiskLow()).isTrue();
      assertThat(figures.isDiskFull()).isFalse();
      Await.until("log is let go", () -> lone.member().retention().snapshots().taken() > 1);
    }
  }

  @Test
  void shouldRefuseAllButReadsWhenTheDiskIsFull() throws Exception {
    try (LoneMember lone = new LoneMember(directory)) {
      lone.bootstrap().awaitLeader();
      fill(lone);
      lone.stop();

      lone.start(settings -> settings.bounds(floors(EVERYTHING, EVERYTHING))).awaitLeader();
      assertThatThrownBy(() -> lone.member().queue().tryClaim(Claim.from(QUEUE)))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessageContaining("diskFullBytes keeps");
      assertThat(lone.member().figures().orElseThrow().isDiskFull()).isTrue();
      assertThat(lone.member().queue().queues(QueueQuery.all())).containsEntry(QUEUE, (long) TASKS);
      lone.stop();

      lone.start().awaitLeader();
      insert(lone);
    }
  }
}
