package io.entroq.server.cli.queue;

import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.options.TaskName;
import io.entroq.server.cli.queue.options.ValueConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code mod} command. */
@Command(
    name = "mod",
    header = "Changes a task.",
    description = {
      "",
      "Changes the task of that id, whatever its version is, unless one is named. What is not given"
          + " stays as it is, except that the task is available at once afterwards: a lease ends, and"
          + " so does a delay. Prints nothing.",
      "",
      "A task that somebody else holds, or that is not due, is changed with --force only. Then the holder finds that it has"
          + " lost the task, and what it has done is not committed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq mod --data data -t 4b1fa52fd5b3cc0e -v '{\"x\":2}'",
      "  entroq mod --data data -t 4b1fa52fd5b3cc0e -Q inbox -r   as if new",
      "",
      "Exit status: 0 if the task was changed; 1 if not; 2 if the command line is wrong."
    })
final class ModCommand extends TargetCommand {
  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID[:VERSION]",
      required = true,
      converter = TaskName.Converter.class,
      description = "The task.")
  private TaskName name;

  @Option(
      names = {"-Q", "--queue-to", "--queue_to"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Move it to this queue.")
  private String newQueue;

  @Option(
      names = {"-r", "--reset"},
      description = "Forget that work on it has failed: attempt and err are cleared.")
  private boolean isReset;

  @Option(
      names = {"-v", "--val"},
      paramLabel = "JSON",
      converter = ValueConverter.class,
      description = "Give it this value, as JSON; '' takes its value away.")
  private Value value;

  @Option(
      names = {"-f", "--force"},
      description = "Change it in the name of whoever holds it, or before it is due.")
  private boolean isForced;

  @Override
  int run(EntroQ queue) {
    Task task = name.require(queue, "");
    Modification modification =
        Modification.change(changed(task)).withClaimant(isForced ? task.claimant() : claimant());
    Commit.require(task, queue.modify(modification), "use --force");
    return STATUS_OK;
  }

  private Change changed(Task task) {
    Change change = Change.of(task).availableNow();
    if (newQueue != null) {
      change = change.moveTo(newQueue);
    }
    if (value != null) {
      change = change.withValue(value);
    }
    return isReset ? change.withAttempt(0, "") : change;
  }
}
