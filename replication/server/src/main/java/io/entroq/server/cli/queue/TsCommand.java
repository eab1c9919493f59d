package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.server.cli.queue.options.JsonValuesOption;
import io.entroq.server.cli.queue.options.ProgressOption;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.options.TaskName;
import io.entroq.server.cli.queue.print.TaskJson;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.ScanEndedException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.WaitBar;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code ts} command. */
@Command(
    name = "ts",
    header = "List tasks, one JSON object per line.",
    description = {
      "",
      "Lists the tasks of a queue, in no particular order, or the tasks with the given ids, in the"
          + " given order. Without -q, the tasks may be in any queue. Missing tasks are omitted.",
      "",
      "A value of bytes is printed as JSON if it is JSON, else as a base64 string. A missing"
          + " value is printed as null.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq ts --data data -q inbox",
      "  entroq ts --data data -q inbox | jq -r 'select(.claims > 3) | .id'",
      "  entroq ts --data data -t 4b1fa52fd5b3cc0e",
      "",
      "Exit status: 0 if the list is complete; 1 if it failed; 2 if the command line is wrong;"
          + " 130 if it was interrupted."
    })
final class TsCommand extends TargetCommand {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Queue. Required unless tasks are given.")
  private String queueName;

  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID[:VERSION]",
      converter = TaskName.Converter.class,
      description = "Task; repeatable.")
  private List<TaskName> names = List.of();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "Maximum number of tasks to list; 0: all. Default: 0.")
  private int limit;

  @Option(
      names = {"-V", "--omit-values", "--omit_values"},
      description = "Print null instead of values.")
  private boolean isWithoutValues;

  @Mixin JsonValuesOption jsonValues;

  @Mixin private ProgressOption progress;

  private long listed;

  @Override
  void checkOptions() {
    if (queueName == null && names.isEmpty()) {
      throw usageError("Missing -q QUEUE or -t ID");
    }
    if (limit < 0) {
      throw usageError("-n %d must not be negative".formatted(limit));
    }
  }

  @Override
  boolean isReading() {
    return true;
  }

  @Override
  int run(EntroQ queue) {
    try (JsonLines lines = json()) {
      if (names.isEmpty()) {
        listQueue(queue, lines);
      } else {
        listNamed(queue, lines);
      }
    }
    if (interruption().isRequested()) {
      noteNamed("interrupted, the list is incomplete");
      return Interruption.STATUS;
    }
    return STATUS_OK;
  }

  private void listQueue(EntroQ queue, JsonLines lines) {
    TaskQuery all = TaskQuery.in(queueName).withLimit(limit);
    TaskQuery query = isWithoutValues ? all.withoutValues() : all;
    try (WaitBar bar = progress.barBesideOutput("listing", size(queue))) {
      queue.forEachTask(
          query,
          task -> {
            print(task, lines);
            bar.at(listed);
          });
    } catch (ScanEndedException e) {
      // The reader closed the output, or the user interrupted.
    }
  }

  private long size(EntroQ queue) {
    long size = queue.queues(QueueQuery.named(queueName)).getOrDefault(queueName, 0L);
    return limit == 0 ? size : Math.min(limit, size);
  }

  private void listNamed(EntroQ queue, JsonLines lines) {
    String in = queueName == null ? "" : queueName;
    for (TaskName name : names) {
      if (limit == 0 || listed < limit) {
        name.find(queue, in, isWithoutValues).ifPresent(task -> print(task, lines));
      }
    }
  }

  private void print(Task task, JsonLines lines) {
    if (interruption().isRequested()) {
      throw new ScanEndedException();
    }
    lines.value(json -> TaskJson.write(json, task));
    listed++;
  }
}
