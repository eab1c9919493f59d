package io.entroq.server.cli.queue.print;

import io.entroq.api.Task;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveResult;
import io.entroq.tools.terminal.Quantity;
import java.util.ArrayList;
import java.util.List;

/** The output of a redrive. */
public final class RedriveText {
  /** The header above the {@linkplain #line lines} of tasks. */
  public static final String HEADER = format("ID", "VERSION", "ATTEMPT", "SINCE", "LAST ERROR");

  private static final int ERR_CHARS_MAX = 100;

  private RedriveText() {}

  /** A task that would be moved. Columns have fixed widths, since tasks are printed one by one. */
  public static String line(Task task) {
    return format(
        task.id().text(),
        Integer.toString(task.version()),
        Integer.toString(task.attempt()),
        task.deadAt().orElse(task.modified()).toString(),
        lastError(task.err()));
  }

  private static String format(
      String id, String version, String attempt, String since, String error) {
    return "%-36s  %-7s  %-7s  %-24s  %s".formatted(id, version, attempt, since, error);
  }

  /** The last line, which is the newest: each failure adds one. */
  private static String lastError(String err) {
    String last = err.substring(err.lastIndexOf('\n') + 1);
    return last.length() <= ERR_CHARS_MAX ? last : last.substring(0, ERR_CHARS_MAX) + "...";
  }

  /** A one-line summary. */
  public static String result(Redrive plan, RedriveResult result) {
    List<String> parts = new ArrayList<>();
    parts.add(
        "%s %,d of %s examined from %s to %s"
            .formatted(
                plan.isDryRun() ? "Would move" : "Moved",
                plan.isDryRun() ? result.matched() - result.unplaced() : result.moved(),
                Quantity.of(result.examined(), "task"),
                plan.from(),
                plan.to().orElse("where they came from")));
    if (result.held() > 0) {
      parts.add("%,d skipped because they are claimed or not due".formatted(result.held()));
    }
    if (result.changed() > 0) {
      parts.add("%,d skipped because they have just changed".formatted(result.changed()));
    }
    if (result.unplaced() > 0) {
      parts.add(
          "%,d skipped because nothing says where they came from (name it with --to)"
              .formatted(result.unplaced()));
    }
    result
        .full()
        .forEach(
            (queue, tasks) ->
                parts.add(
                    "queue %s is full: %s not moved".formatted(queue, Quantity.of(tasks, "task"))));
    return String.join("; ", parts) + ".";
  }
}
