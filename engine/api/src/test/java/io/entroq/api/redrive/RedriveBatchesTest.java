package io.entroq.api.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.redrive.RedriveBatches.Move;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedriveBatchesTest {
  private static final String DEAD = "dead";

  private final RedriveBatches<String> batches = batches(Redrive.from(DEAD));

  private static RedriveBatches<String> batches(Redrive plan) {
    return new RedriveBatches<>(plan, 4, 100);
  }

  private static void examine(RedriveBatches<String> to, String name, String origin, long bytes) {
    Task task =
        new Task(
            TaskId.of(name),
            0,
            DEAD,
            Instant.EPOCH,
            "",
            Value.absent(),
            Instant.EPOCH,
            Instant.EPOCH,
            0,
            0,
            "",
            new Task.Attributes(
                false,
                0,
                Optional.empty(),
                Optional.of(new Task.Death(origin, Task.DeadReason.FAILED, Instant.EPOCH)),
                ""));
    assertThat(to.examine(true, task, name, bytes))
        .isNotEqualTo(to.result().full().containsKey(origin));
  }

  private void examine(String origin, String... names) {
    for (String name : names) {
      examine(batches, name, origin, 1);
    }
  }

  private static List<String> tasks(List<Move<String>> moves) {
    return moves.stream().map(Move::task).toList();
  }

  @Test
  void shouldBeDueWhenThereAreEnoughTasks() {
    examine("q", "a", "b", "c");
    assertThat(batches.isDue()).isFalse();
    examine("q", "d");
    assertThat(batches.isDue()).isTrue();
    batches.begin();
    assertThat(batches.isEmpty()).isTrue();
    assertThat(tasks(batches.next())).containsExactly("a", "b", "c", "d");
    assertThat(batches.next()).isEmpty();
  }

  @Test
  void shouldLeaveATaskWithWhichABatchWouldBeTooLargeForTheNext() {
    examine(batches, "a", "q", 60);
    examine(batches, "b", "q", 40);
    assertThat(batches.isDue()).isFalse();
    examine(batches, "huge", "q", 1_000);
    for (List<String> batch : List.of(List.of("a", "b"), List.of("huge"))) {
      assertThat(batches.isDue()).isTrue();
      batches.begin();
      assertThat(tasks(batches.next())).isEqualTo(batch);
      assertThat(batches.next()).isEmpty();
    }
    assertThat(batches.isEmpty()).isTrue();
    assertThat(batches.isDue()).isFalse();
  }

  @Test
  void shouldCollectNoMoreThanTheLimit() {
    RedriveBatches<String> two = batches(Redrive.from(DEAD).limit(2));
    examine(two, "a", "q", 1);
    assertThat(two.isDue()).isFalse();
    examine(two, "b", "q", 1);
    assertThat(two.isDue()).isTrue();
    two.begin();
    two.count(new Batch(two.next().size() - 1, 1, 0));
    assertThat(two.isDone()).as("one was held").isFalse();
    examine(two, "c", "q", 1);
    assertThat(two.isDue()).isTrue();
    two.begin();
    two.count(new Batch(two.next().size(), 0, 0));
    assertThat(two.isDone()).isTrue();
  }

  @Test
  void shouldHalveTheTasksOfAFullQueueUntilItIsKnownToBeFull() {
    examine("small", "a", "b");
    examine("other", "x");
    examine("small", "c");
    batches.begin();
    List<Move<String>> all = batches.next();
    assertThat(batches.split(all, "another")).as("none goes there").isFalse();
    assertThat(batches.split(all, "small")).isTrue();
    assertThat(tasks(batches.next())).containsExactly("x");
    List<Move<String>> one = batches.next();
    assertThat(tasks(one)).containsExactly("a");
    assertThat(batches.split(one, "small")).isTrue();
    assertThat(batches.next()).as("b and c stay too").isEmpty();
    examine("small", "d");
    assertThat(batches.isEmpty()).isTrue();
    assertThat(batches.result().full()).isEqualTo(Map.of("small", 4L));
  }

  @Test
  void shouldRepeatBeforeTheRestOfABatch() {
    examine("small", "a", "b", "c");
    batches.begin();
    assertThat(batches.split(batches.next(), "small")).isTrue();
    List<Move<String>> first = batches.next();
    batches.repeat(first);
    assertThat(batches.next()).isEqualTo(first);
    batches.clear();
    assertThat(batches.next()).isEmpty();
  }
}
