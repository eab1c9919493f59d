package io.entroq.api.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EffectFoldTest {
  private final EffectFold fold = new EffectFold(3);

  private static Effect effect(EffectKind kind, String id, String queue, String formerQueue) {
    Task task =
        new Task(
            TaskId.of(id),
            7,
            queue,
            Instant.EPOCH,
            "",
            Value.bytes(new byte[0]),
            Instant.EPOCH,
            Instant.EPOCH,
            0,
            0,
            "");
    return new Effect(
        kind,
        Optional.of(FeedPosition.after(1)),
        Instant.EPOCH,
        Optional.of(task),
        1,
        Optional.ofNullable(formerQueue),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        false,
        false);
  }

  private void add(EffectKind kind, String id, String queue) {
    fold.add(effect(kind, id, queue, null));
  }

  private TaskChanges.Change change(String id) {
    return fold.tasks().stream()
        .filter(task -> task.last().id().text().equals(id))
        .findAny()
        .orElseThrow()
        .change();
  }

  @Test
  void shouldTellWhatBecameOfEachTask() {
    add(EffectKind.INSERTED, "new", "a");
    add(EffectKind.CLAIMED, "new", "a");
    add(EffectKind.CHANGED, "old", "a");
    add(EffectKind.DELETED, "old", "a");
    fold.add(effect(EffectKind.MOVED, "moved", "b", "a"));
    assertThat(change("new")).isEqualTo(TaskChanges.Change.CREATED);
    assertThat(change("old")).isEqualTo(TaskChanges.Change.GONE);
    assertThat(change("moved")).isEqualTo(TaskChanges.Change.MOVED);
    assertThat(fold.tasks())
        .extracting(task -> task.last().id().text())
        .containsExactly("new", "old", "moved");
    add(EffectKind.DELETED, "new", "a");
    fold.add(effect(EffectKind.MOVED, "moved", "a", "b"));
    assertThat(change("new")).isEqualTo(TaskChanges.Change.CREATED_AND_GONE);
    assertThat(change("moved")).as("and back").isEqualTo(TaskChanges.Change.CHANGED);
    assertThat(fold.has(TaskId.of("moved"))).isTrue();
    assertThat(fold.has(TaskId.of("other"))).isFalse();
  }

  @Test
  void shouldCountWhatHappenedToWork() {
    add(EffectKind.CLAIMED, "x", "a");
    add(EffectKind.FAILED, "x", "a");
    add(EffectKind.CLAIMED, "x", "a");
    add(EffectKind.LAPSED, "x", "a");
    TaskChanges changes = fold.tasks().iterator().next();
    assertThat(changes.claims()).isEqualTo(2);
    assertThat(changes.failures()).isEqualTo(1);
    assertThat(changes.lapses()).isEqualTo(1);
    assertThat(changes.firstQueue()).contains("a");
    assertThat(changes.last().version()).isEqualTo(7);
  }

  @Test
  void shouldKeepNoMoreTasksThanAllowed() {
    add(EffectKind.INSERTED, "1", "a");
    add(EffectKind.INSERTED, "2", "a");
    add(EffectKind.INSERTED, "3", "a");
    add(EffectKind.CLAIMED, "3", "a");
    fold.add(ScriptedSource.effect(1));
    assertThatThrownBy(() -> add(EffectKind.INSERTED, "4", "a"))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("more than 3 tasks");
    assertThat(fold.tasks()).hasSize(3);
  }
}
