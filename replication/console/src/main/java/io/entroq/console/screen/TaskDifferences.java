package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of tasks between two moments, summed up by task. */
final class TaskDifferences {
  private static final int ROWS_MAX = 500;

  private final Effect first;
  private Effect last;
  private int claims;
  private int failures;

  private TaskDifferences(Effect first) {
    this.first = first;
    this.last = first;
  }

  /** A table with a row for each task. */
  static Part table(List<Effect> effects) {
    Map<String, TaskDifferences> tasks = new LinkedHashMap<>();
    for (Effect effect : effects) {
      if (effect.hasTask()) {
        tasks
            .computeIfAbsent(effect.getTask().getId(), id -> new TaskDifferences(effect))
            .add(effect);
      }
    }
    List<List<Cell>> rows = new ArrayList<>();
    tasks.values().stream().limit(ROWS_MAX).forEach(task -> rows.add(task.row()));
    String title =
        tasks.size() > ROWS_MAX
            ? "The first %,d of %,d tasks that changed".formatted(ROWS_MAX, tasks.size())
            : "Tasks that changed";
    return new Part.Table(
        title,
        List.of(
            Column.of("Task"),
            Column.of("Queue at the begin"),
            Column.of("Queue at the end"),
            Column.of("What happened last"),
            Column.number("Claimed"),
            Column.number("Failed")),
        rows,
        "No task changed between these moments.");
  }

  private void add(Effect effect) {
    last = effect;
    switch (effect.getKind()) {
      case EFFECT_CLAIMED -> claims++;
      case EFFECT_FAILED -> failures++;
      case EFFECT_CHANGED, EFFECT_MOVED -> failures += effect.getFailed() ? 1 : 0;
      default -> {
        // Nothing to count.
      }
    }
  }

  private List<Cell> row() {
    String id = first.getTask().getId();
    return List.of(
        Cell.link(id, Places.task(id)),
        Cell.of(before()),
        Cell.of(isGone() ? "gone" : last.getTask().getQueue()),
        Cell.of(EffectWords.what(last)).noted(EffectWords.who(last)),
        Cell.of(claims),
        Cell.of(failures));
  }

  private String before() {
    return switch (first.getKind()) {
      case EFFECT_INSERTED -> "new";
      default ->
          first.getFormerQueue().isEmpty() ? first.getTask().getQueue() : first.getFormerQueue();
    };
  }

  private boolean isGone() {
    return switch (last.getKind()) {
      case EFFECT_DELETED, EFFECT_EXPIRED, EFFECT_DROPPED -> true;
      default -> false;
    };
  }
}
