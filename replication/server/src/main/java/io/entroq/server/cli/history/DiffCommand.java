package io.entroq.server.cli.history;

import io.entroq.codec.effect.EffectReader;
import io.entroq.server.cli.queue.options.PointText;
import io.entroq.server.cli.queue.print.TextTable;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The {@code diff} command. */
@Command(
    name = "diff",
    header = "Print which tasks changed between two points of the past.",
    description = {
      "",
      "Prints a line for each task that anything happened to between two points, in the order of the"
          + " first effect: whether it was created, is gone, moved or changed; its queue at the"
          + " first point and its last one; its last version; and how often it was claimed, failed"
          + " and lapsed. A point is the sequence of a record, after which it is, or a time, after"
          + " the last record of that time.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq diff --data data 700 731",
      "  entroq diff --data data 2026-11-23T08:00Z 2026-11-23T09:00Z -q 'inbox/*'",
      "",
      "Exit status: 0 if it succeeded; 1 if the history is damaged or cannot be read, or if more"
          + " than 1,000,000 tasks changed; 2 if the command line is wrong; 130 if it was"
          + " interrupted."
    })
public final class DiffCommand extends HistoryCommand {
  private static final int TASKS_MAX = 1_000_000;

  @Mixin private DataOption data;

  @Mixin private QueueSelection queues;

  @Parameters(
      index = "0",
      paramLabel = "A",
      converter = PointText.Converter.class,
      description = "First point.")
  private PointText first;

  @Parameters(
      index = "1",
      paramLabel = "B",
      converter = PointText.Converter.class,
      description = "Second point.")
  private PointText second;

  private final Map<String, TaskDifference> tasks = new LinkedHashMap<>();

  @Override
  void checkOptions() {
    if (EffectBound.of(second.point()).isBefore(EffectBound.of(first.point()))) {
      throw usageError("%s is before %s".formatted(second.text(), first.text()));
    }
  }

  @Override
  Path data() {
    return data.data();
  }

  @Override
  void run(JsonLines lines) {
    long unused = read(first.point(), second.point(), this::add);
    if (isJson()) {
      tasks.values().forEach(task -> lines.line(task::write));
      return;
    }
    TextTable table =
        new TextTable(
            "CHANGE", "TASK", "FROM QUEUE", "QUEUE", "VERSION", "CLAIMED", "FAILED", "LAPSED");
    tasks.values().forEach(task -> table.row(task.row()));
    table.lines().forEach(this::print);
  }

  private void add(EffectReader effect) {
    if (!effect.isOfTask()) {
      return;
    }
    String id = EffectFields.id(effect);
    TaskDifference task = tasks.get(id);
    if (task == null) {
      // A task that is of these queues once is followed wherever it goes.
      if (!queues.selects(effect)) {
        return;
      }
      if (tasks.size() == TASKS_MAX) {
        throw new CommandException(
            "more than %,d tasks changed: choose points that are closer, or queues with -q"
                .formatted(TASKS_MAX));
      }
      task = new TaskDifference(effect);
      tasks.put(id, task);
    }
    task.add(effect);
  }
}
