package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limit on the tasks of a queue that an engine is opened with. */
class QueueTasksMaxTest {
  @TempDir Path directory;

  private EmbeddedConfig config(long tasksMax) {
    return EmbeddedConfig.in(directory).queueTasksMax(tasksMax).build();
  }

  private static void insert(EmbeddedEntroQ queue, int count) {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < count; i++) {
      inserts.insert("inbox", "task");
    }
    queue.modify(inserts.build()).orThrow();
  }

  @Test
  void shouldHoldForAsLongAsTheEngineIsOpen() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(2))) {
      insert(queue, 2);
      long appended = queue.stats().appendedSequence();
      assertThatThrownBy(() -> insert(queue, 1))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessage(
              "queue inbox has 2 tasks and would have more than the 2 that queueTasksMax allows."
                  + " Nothing was done. Try again when some of its tasks are done, delete or move"
                  + " some, or open with a larger queueTasksMax");
      assertThat(queue.stats().appendedSequence()).as("not logged").isEqualTo(appended);
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(0))) {
      insert(queue, 5);
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(3))) {
      assertThatThrownBy(() -> insert(queue, 1))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessageContaining("has 7 tasks");
      assertThat(queue.queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 7L));
    }
  }

  @Test
  void shouldSayWhatToDoWhereNoRoomWouldHelp() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(2))) {
      long appended = queue.stats().appendedSequence();
      assertThatThrownBy(() -> insert(queue, 3))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessage(
              "queue inbox would have 3 tasks of this modification alone, inserted, moved or changed"
                  + " there or depended on, more than the 2 that queueTasksMax allows. Nothing was"
                  + " done, and trying again is of no use. Split the modification, or open with a"
                  + " larger queueTasksMax");
      assertThat(queue.stats().appendedSequence()).as("not logged").isEqualTo(appended);
      insert(queue, 2);
      assertThat(queue.queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 2L));
    }
  }

  @Test
  void shouldEndWithACodeWhenDriven() {
    EmbeddedConfig config = EmbeddedConfig.inMemory().queueTasksMax(1).build();
    try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
      assertThat(insert(engine, 1)).isEqualTo(ResultCodes.OK);
      assertThat(insert(engine, 2)).isEqualTo(ResultCodes.QUEUE_FULL);
      assertThat(engine.result().itemKind()).isEqualTo(ItemKinds.INSERT);
      assertThat(engine.result().itemIndex()).isZero();
      assertThat(engine.result().queueTasks()).isEqualTo(1);
      assertThat(engine.result().queueTasksMax()).isEqualTo(1);
      assertThat(engine.sequence()).as("not logged").isEqualTo(2);
      assertThat(engine.execute()).as("once more").isEqualTo(ResultCodes.QUEUE_FULL);
      assertThat(engine.taskCount()).isEqualTo(1);
    }
  }

  private static int insert(DrivenEngine engine, long low) {
    TaskDataFields data = new TaskDataFields();
    data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    engine.modify().insert(new IdFields().set(1, low), data);
    return engine.execute();
  }

  @Test
  void shouldRefuseALimitThatIsNone() {
    assertThatThrownBy(() -> EmbeddedConfig.inMemory().queueTasksMax(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queueTasksMax must be from 0");
  }
}
