package io.entroq.console.screen;

import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.console.chart.Sparkline;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A table of queues, in which pools fold open. For one visit. */
final class QueueRows {
  /** The service tells the rates of as many at a time. */
  private static final int SPARKS_MAX = 100;

  private static final int LEVELS_MAX = 3;

  /** A column that the service can sort by; empty if it cannot. */
  private record Sorted(String name, String key) {}

  private static final List<Sorted> COLUMNS =
      List.of(
          new Sorted("Queue", "name"),
          new Sorted("Available", "ready"),
          new Sorted("Claimed", "in_flight"),
          new Sorted("Resting", "resting"),
          new Sorted("Not due yet", "future"),
          new Sorted("Oldest has waited", "oldest_age_ms"),
          new Sorted("In the last minute", "activity"),
          new Sorted("Done in the last hour", ""));

  private final Visit visit;
  private final QueuesView view;
  private final SearchQueuesResponse found;
  private final List<Row> rows = new ArrayList<>();

  /**
   * A row.
   *
   * @param level how many pools it is below
   * @param queue to be shown, or the pool of which there are more members
   * @param more how many members a pool has, if not all are shown; otherwise 0
   */
  private record Row(int level, QueueFigures queue, long more) {}

  QueueRows(Visit visit, QueuesView view, SearchQueuesResponse found) {
    this.visit = visit;
    this.view = view;
    this.found = found;
  }

  Part table() {
    found.getQueuesList().forEach(queue -> add(0, queue));
    boolean hasPools = rows.stream().anyMatch(row -> row.queue.getMembers() > 0);
    Map<String, Sparkline> sparks = sparks(names().distinct().toList());
    return new Part.Table(
        "Queues found",
        columns(hasPools),
        rows.stream().map(row -> cells(row, hasPools, sparks)).toList(),
        view.prefix().isEmpty()
            ? visit.isPast()
                ? "There were no queues then."
                : "There are no queues yet. A queue exists as soon as a task is inserted into it."
            : "No queue name begins with this.");
  }

  private Map<String, Sparkline> sparks(List<String> names) {
    Map<String, Sparkline> sparks = new HashMap<>();
    for (int i = 0; i < names.size(); i += SPARKS_MAX) {
      sparks.putAll(
          RateCharts.sparks(visit, names.subList(i, Math.min(names.size(), i + SPARKS_MAX))));
    }
    return sparks;
  }

  /** What happens in a pool happens to its members. */
  private Stream<String> names() {
    return rows.stream()
        .filter(row -> row.more == 0 && row.queue.getMembers() == 0)
        .map(row -> row.queue.getName());
  }

  private void add(int level, QueueFigures queue) {
    rows.add(new Row(level, queue, 0));
    if (queue.getMembers() == 0 || !view.isOpen(queue.getName()) || level == LEVELS_MAX) {
      return;
    }
    SearchQueuesResponse members = view.members(visit, queue.getName());
    for (QueueFigures member : members.getQueuesList()) {
      if (member.getName().equals(queue.getName())) {
        rows.add(new Row(level + 1, member, 0));
      } else {
        add(level + 1, member);
      }
    }
    if (members.getMatched() > members.getQueuesCount()) {
      rows.add(new Row(level + 1, queue, members.getMatched()));
    }
  }

  private List<Column> columns(boolean hasPools) {
    List<Column> columns = new ArrayList<>();
    for (Sorted column : COLUMNS) {
      boolean isSorted = column.key.equals(view.sort().isEmpty() ? "name" : view.sort());
      // Of numbers, the largest are of interest first.
      boolean isNextDown = isSorted ? !view.isDown() : !column.key.equals("name");
      columns.add(
          new Column(
              column.name,
              column.key.isEmpty() ? "" : view.sorted(column.key, isNextDown).url(),
              isSorted ? (view.isDown() ? "descending" : "ascending") : "",
              !column.key.isEmpty()
                  && !column.key.equals("name")
                  && !column.key.equals("activity")));
    }
    if (hasPools) {
      columns.add(1, Column.of("Pool"));
    }
    return columns;
  }

  private List<Cell> cells(Row row, boolean hasPools, Map<String, Sparkline> sparks) {
    QueueFigures queue = row.queue;
    String name = queue.getName();
    boolean isFolded = queue.getMembers() > 0;
    List<Cell> cells = new ArrayList<>();
    if (row.more > 0) {
      cells.add(
          Cell.link("All %,d of %s".formatted(row.more, name), view.of(name).url())
              .indented(row.level));
      int columns = COLUMNS.size() - 1 + (hasPools ? 1 : 0);
      for (int i = 0; i < columns; i++) {
        cells.add(Cell.of(""));
      }
      return cells;
    }
    Sparkline spark = isFolded ? null : sparks.get(name);
    cells.add(Cell.link(name, Places.queue(name)).noted(state(queue)).indented(row.level));
    if (hasPools) {
      cells.add(isFolded ? fold(queue) : Cell.of(""));
    }
    cells.add(Cell.of(queue.getReady()));
    cells.add(Cell.of(queue.getInFlight()));
    cells.add(Cell.of(queue.getResting()));
    cells.add(Cell.of(queue.getFuture()));
    cells.add(
        Cell.of(queue.getOldestAgeMs() == 0 ? "" : TimeText.duration(queue.getOldestAgeMs())));
    cells.add(Cell.of(RateCharts.words(visit, queue.getLastMinute())));
    cells.add(spark == null ? Cell.of("") : Cell.of(spark));
    return cells;
  }

  private Cell fold(QueueFigures pool) {
    String name = pool.getName();
    String many = pool.getMembers() == 1 ? "1 queue" : "%,d queues".formatted(pool.getMembers());
    return Cell.link((view.isOpen(name) ? "Hide " : "Show ") + many, view.toggled(name).url());
  }

  private String state(QueueFigures queue) {
    List<String> words = new ArrayList<>();
    if (queue.getPool()) {
      words.add(queue.getMembers() > 0 ? "pool" : "pool, its own tasks");
    }
    if (queue.getPausedUntilMs() != 0) {
      words.add("paused");
    }
    if (queue.getDeadQueue()) {
      words.add("dead tasks");
    }
    return String.join(", ", words);
  }
}
