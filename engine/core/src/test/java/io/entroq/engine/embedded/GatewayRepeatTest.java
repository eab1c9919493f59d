package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A renewal under its caller's own identity that is repeated after its task has changed again: it
 * gets the first answer again.
 */
class GatewayRepeatTest {
  private static final long ARRIVAL_MS = 4_000_000_000_000L;

  @TempDir Path directory;

  /** The one changed task as an answer reports it. */
  private record ChangedTask(
      int version, int claims, long arrivalMs, long claimant, long createdMs, long modifiedMs) {

    static ChangedTask of(TaskDecoder task) {
      return new ChangedTask(
          task.version(),
          task.claims(),
          task.arrivalMs(),
          task.claimantLow(),
          task.createdMs(),
          task.modifiedMs());
    }
  }

  @Test
  void shouldRepeatTheAnswerInMemory() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      Task claimed = claimed(queue);
      ChangedTask first = renew(queue, claimed);
      moveOn(queue, claimed);
      assertThat(renew(queue, claimed)).isEqualTo(first);
      assertThat(first.claims).isEqualTo(2);
    }
  }

  @Test
  void shouldTellTheSameOverAStartFromTheLogOrFromASnapshot() {
    EmbeddedConfig often =
        EmbeddedConfig.in(directory).snapshotInterval(Duration.ofMillis(50)).build();
    Task claimed;
    ChangedTask first;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      claimed = claimed(queue);
      first = renew(queue, claimed);
      moveOn(queue, claimed);
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(often)) {
      assertThat(renew(queue, claimed)).as("from the log").isEqualTo(first);
      long sequence = queue.stats().appendedSequence();
      Await.until(
          "all of it is in a snapshot", () -> queue.stats().snapshots().sequence() >= sequence);
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.stats().snapshots().sequence()).isPositive();
      assertThat(renew(queue, claimed)).as("from a snapshot").isEqualTo(first);
    }
  }

  /** A task that has been claimed twice. */
  private static Task claimed(EmbeddedEntroQ queue) {
    queue.modify(Modification.insert("q", "v")).orThrow();
    assertThat(queue.tryClaim(Claim.from("q").withLease(Duration.ZERO))).isPresent();
    return queue.tryClaim(Claim.from("q").withLease(Duration.ofHours(1))).orElseThrow();
  }

  private static void moveOn(EmbeddedEntroQ queue, Task claimed) {
    Task renewed = queue.tasks(TaskQuery.withIds(claimed.id())).get(0);
    queue.modify(Modification.delete(renewed)).orThrow();
  }

  private static ChangedTask renew(EmbeddedEntroQ queue, Task claimed) {
    AtomicReference<ChangedTask> answer = new AtomicReference<>();
    Heard heard =
        new Heard() {
          @Override
          public void onResult(ResultDecoder result) {
            answer.set(ChangedTask.of(result.changed(0)));
            super.onResult(result);
          }
        };
    queue.gateway().modify(0, 1 << 20, buffer -> renewal(buffer, claimed), heard);
    heard.await();
    return answer.get();
  }

  private static int renewal(MutableDirectBuffer buffer, Task claimed) {
    TaskDataFields renewed = new TaskDataFields().clear().arrivalMs(ARRIVAL_MS);
    renewed.queue().wrap(claimed.queue().getBytes(StandardCharsets.UTF_8));
    return new ModifyEncoder()
        .wrap(buffer, 0)
        .identity(7, 1, 1, 1)
        .claimant(fields(TaskId.of(claimed.claimant())))
        .change(
            fields(claimed.id()), claimed.version(), renewed, ChangeModes.DEFAULT, renewed.queue())
        .length();
  }

  private static IdFields fields(TaskId id) {
    IdKey key = id.key();
    IdFields fields = new IdFields().set(key.high(), key.low());
    fields.text().wrap(key.text().getBytes(StandardCharsets.UTF_8));
    return fields;
  }
}
