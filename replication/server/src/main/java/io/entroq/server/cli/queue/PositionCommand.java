package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code position} command. */
@Command(
    name = "position",
    header = "Print where a task stands in its queue.",
    description = {
      "",
      "Prints how many ready tasks start before it, 0 for the next to start, and when it is"
          + " expected to start at the rate of its queue if there are always workers; or that it is"
          + " not ready, and when it is due. Only a queue whose policy has an order of oldest or"
          + " strict has ranks.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq position --data data 4b1fa52fd5b3cc0e",
      "  entroq position -s localhost:37706 4b1fa52fd5b3cc0e --json",
      "",
      "Exit status: 0 if there is such a task; 1 if not; 2 if the command line is wrong."
    })
final class PositionCommand extends TargetCommand {
  @Parameters(paramLabel = "ID", description = "Task.")
  private String id;

  @Option(
      names = {"-j", "--json"},
      description = "Print a JSON object; what is not known has no member.")
  private boolean isJson;

  private TaskId task;

  @Override
  void checkOptions() {
    task = TaskId.of(id);
  }

  @Override
  boolean isReading() {
    return true;
  }

  @Override
  int run(EntroQ queue) {
    RulesCommand.requirePolicies(queue);
    Task.Position position =
        queue.position(task).orElseThrow(() -> new CommandException("there is no task " + task));
    if (isJson) {
      showJson(position);
    } else {
      print(text(position));
    }
    return STATUS_OK;
  }

  private void showJson(Task.Position position) {
    try (JsonLines lines = json()) {
      lines.line(
          json -> {
            json.writeStringField("id", task.text());
            json.writeBooleanField("ready", position.isReady());
            if (position.ahead().isPresent()) {
              json.writeNumberField("ahead", position.ahead().getAsLong());
            }
            if (position.expectedStart().isPresent()) {
              json.writeStringField("expectedStart", position.expectedStart().get().toString());
            }
          });
    }
  }

  private static String text(Task.Position position) {
    String start = position.expectedStart().map(Instant::toString).orElse("");
    if (!position.isReady()) {
      return start.isEmpty() ? "not ready" : "not ready; due at " + start;
    }
    String rank =
        position.ahead().isPresent()
            ? "ready; %,d start before it".formatted(position.ahead().getAsLong())
            : "ready; its queue has no order";
    return start.isEmpty() ? rank : rank + "; expected to start at " + start;
  }
}
