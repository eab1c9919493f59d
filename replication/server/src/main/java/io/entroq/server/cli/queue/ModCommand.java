package io.entroq.server.cli.queue;

import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
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
      "",
      "--take-back ends the lease of whoever holds the task, and changes nothing else: for a worker"
          + " that hangs. The history of the task names you, not the previous claimant. Prints who"
          + " held the task. Needs a log of behavior level 11.",
      "",
      "--reset-to-queue deletes the task and inserts one with the same value, in one step: with a"
          + " new id, version 0, and no claims, attempts or error.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq mod --data data -t 4b1fa52fd5b3cc0e -v '{\"x\":2}'",
      "  entroq mod --data data -t 4b1fa52fd5b3cc0e -Q inbox -r    no more failures",
      "  entroq mod --data data -t 4b1fa52fd5b3cc0e -R inbox      as if new",
      "  entroq mod --data data -t 4b1fa52fd5b3cc0e --take-back",
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
      names = {"-R", "--reset-to-queue", "--reset_to_queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Replace the task by a new one in this queue. Not with -Q or -r.")
  private String freshQueue;

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

  @Option(
      names = {"--take-back", "--take_back"},
      description = "End the lease of whoever holds the task. Not with -Q, -r, -R, -v or -f.")
  private boolean isTakenBack;

  @Override
  void checkOptions() {
    if (isTakenBack
        && (freshQueue != null || newQueue != null || value != null || isReset || isForced)) {
      throw usageError(
          "--take-back changes nothing else: it cannot be combined with -Q, -r, -R, -v or -f");
    }
    if (freshQueue != null && (newQueue != null || isReset)) {
      throw usageError("--reset-to-queue cannot be combined with --queue-to or --reset");
    }
  }

  @Override
  int run(EntroQ queue) {
    Task task = name.require(queue, "");
    if (isTakenBack) {
      takeBack(queue, task);
      return STATUS_OK;
    }
    Modification modification =
        (freshQueue == null ? Modification.change(changed(task)) : replacement(task))
            .withClaimant(isForced ? task.claimant() : claimant());
    Commit.require(task, queue.modify(modification), "use --force");
    return STATUS_OK;
  }

  private void takeBack(EntroQ queue, Task task) {
    boolean isHeld = !task.claimant().isEmpty() && task.arrivalTime().isAfter(queue.time());
    Modification modification = Modification.takeBack(task).withClaimant(claimant());
    Commit.require(task, queue.modify(modification));
    print(
        isHeld
            ? "taken back from " + task.claimant() + ", who held it until " + task.arrivalTime()
            : "nobody held it; it is available");
  }

  private Modification replacement(Task task) {
    Insert fresh = Insert.into(freshQueue).withValue(value == null ? task.value() : value);
    return Modification.builder().delete(task).insert(fresh).build();
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
