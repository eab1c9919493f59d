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
    header = "Change a task.",
    description = {
      "",
      "Changes the task with this id, whatever its version unless you give one. The task also"
          + " becomes available at once: leases and delays end. Everything else stays the same."
          + " Prints nothing.",
      "",
      "Changing a task that is claimed by another claimant or not due requires --force. The"
          + " previous claimant can no longer commit it.",
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
      description = "Task.")
  private TaskName name;

  @Option(
      names = {"-Q", "--queue-to", "--queue_to"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Move the task to this queue.")
  private String newQueue;

  @Option(
      names = {"-r", "--reset"},
      description = "Clear attempt and err, as if the task had never failed.")
  private boolean isReset;

  @Option(
      names = {"-v", "--val"},
      paramLabel = "JSON",
      converter = ValueConverter.class,
      description = "New value, as JSON; '' removes the value.")
  private Value value;

  @Option(
      names = {"-f", "--force"},
      description = "Change the task even if it is claimed or not due.")
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
