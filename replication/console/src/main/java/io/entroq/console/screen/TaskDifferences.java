package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of tasks between two moments, summed up by task while it is read: of each task only
 * what its row shows is kept. Any thread.
 */
final class TaskDifferences {
  private static final int EFFECTS_MAX = 20_000;
  private static final int ROWS_MAX = 500;

  private final long fromMs;
  private final Map<String, Row> rows = new LinkedHashMap<>();

  /** The ids of tasks for which there is no row. */
  private final Set<String> others = new HashSet<>();

  private int read;

  /**
   * @param fromMs effects before this time do not count
   */
  TaskDifferences(long fromMs) {
    this.fromMs = fromMs;
  }

  /** Adds effects, the oldest first; returns whether there may be more. */
  synchronized boolean add(TailResponse response) {
    for (Effect effect : response.getEffectsList()) {
      if (read == EFFECTS_MAX) {
        return false;
      }
      read++;
      if (effect.hasTask() && effect.getTimeMs() >= fromMs) {
        add(effect);
      }
    }
    return true;
  }

  private void add(Effect effect) {
    String id = effect.getTask().getId();
    Row row = rows.get(id);
    if (row == null && rows.size() == ROWS_MAX) {
      others.add(id);
      return;
    }
    if (row == null) {
      row = new Row(before(effect));
      rows.put(id, row);
    }
    row.add(effect);
  }

  private static String before(Effect first) {
    return switch (first.getKind()) {
      case EFFECT_INSERTED -> "new";
      default ->
          first.getFormerQueue().isEmpty() ? first.getTask().getQueue() : first.getFormerQueue();
    };
  }

  /** How many effects were read. */
  synchronized int read() {
    return read;
  }

  /** A table with a row for each task. */
  synchronized Part table() {
    List<List<Cell>> cells = new ArrayList<>();
    rows.forEach((id, row) -> cells.add(row.cells(id)));
    String title =
        others.isEmpty()
            ? "Tasks that changed"
            : "The first %,d of %,d tasks that changed"
                .formatted(ROWS_MAX, ROWS_MAX + others.size());
    return new Part.Table(
        title,
        List.of(
            Column.of("Task"),
            Column.of("Queue at the begin"),
            Column.of("Queue at the end"),
            Column.of("What happened last"),
            Column.number("Claimed"),
            Column.number("Failed")),
        cells,
        "No task changed between these moments.");
  }

  /** What is shown of a task. */
  private static final class Row {
    private final String before;
    private String after = "";
    private String what = "";
    private String who = "";
    private int claims;
    private int failures;

    Row(String before) {
      this.before = before;
    }

    void add(Effect effect) {
      after = isGone(effect) ? "gone" : effect.getTask().getQueue();
      what = EffectWords.what(effect);
      who = EffectWords.who(effect);
      switch (effect.getKind()) {
        case EFFECT_CLAIMED -> claims++;
        case EFFECT_FAILED -> failures++;
        case EFFECT_CHANGED, EFFECT_MOVED -> failures += effect.getFailed() ? 1 : 0;
        default -> {
          // Nothing to count.
        }
      }
    }

    private static boolean isGone(Effect effect) {
      return switch (effect.getKind()) {
        case EFFECT_DELETED, EFFECT_EXPIRED, EFFECT_DROPPED -> true;
        default -> false;
      };
    }

    List<Cell> cells(String id) {
      return List.of(
          Cell.link(id, Places.task(id)),
          Cell.of(before),
          Cell.of(after),
          Cell.of(what).noted(who),
          Cell.of(claims),
          Cell.of(failures));
    }
  }
}
