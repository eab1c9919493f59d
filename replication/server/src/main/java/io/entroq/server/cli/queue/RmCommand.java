package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.server.cli.queue.options.TaskName;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code rm} command. */
@Command(
    name = "rm",
    header = "Delete a task.",
    description = {
      "",
      "Deletes the task with this id, whatever its version unless you give one, and prints null."
          + " While another claimant has the task or it is not due, the command retries after"
          + " three seconds, or sooner if the task becomes available before.",
      "",
      "With --force it deletes the task in any case. Its claimant can no longer commit it.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq rm --data data -t 4b1fa52fd5b3cc0e",
      "  entroq rm --data data -t 4b1fa52fd5b3cc0e:3 -r 1",
      "",
      "Exit status: 0 if the task was deleted; 1 if not; 2 if the command line is wrong; 130 if"
          + " it was interrupted."
    })
final class RmCommand extends TargetCommand {
  private static final Duration PAUSE_MAX = Duration.ofSeconds(3);
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);

  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID[:VERSION]",
      required = true,
      converter = TaskName.Converter.class,
      description = "Task.")
  private TaskName name;

  @Option(
      names = {"-f", "--force"},
      description = "Delete the task even if it is claimed or not due.")
  private boolean isForced;

  @Option(
      names = {"-r", "--retries"},
      paramLabel = "N",
      description = "Maximum number of attempts while the task is claimed or not due. Default: 10.")
  private int triesMax = 10;

  @Override
  void checkOptions() {
    if (triesMax < 1) {
      throw usageError("-r %d must be at least 1".formatted(triesMax));
    }
  }

  @Override
  int run(EntroQ queue) {
    int tries = 1;
    Task task = name.require(queue, "");
    while (!tryDelete(queue, task, tries == triesMax)) {
      if (tries == 1) {
        noteNamed(Commit.reason(task) + ", retrying; --force does not wait");
      }
      interruption().pause(pause(queue, task));
      if (interruption().isRequested()) {
        noteNamed("interrupted, the task was not deleted");
        return Interruption.STATUS;
      }
      tries++;
      task = name.require(queue, "");
    }
    print("null");
    return STATUS_OK;
  }

  /** Deletes the task. Returns false if it is claimed or not due, unless this is the last try. */
  private boolean tryDelete(EntroQ queue, Task task, boolean isLastTry) {
    String claimant = isForced ? task.claimant() : claimant();
    ModifyResult result = queue.modify(Modification.delete(task).withClaimant(claimant));
    boolean isHeld =
        result instanceof ModifyResult.DependencyFailure failure && failure.onlyClaims();
    if (isHeld && !isLastTry) {
      return false;
    }
    Commit.require(task, result, "use --force", "try again later");
    return true;
  }

  private static Duration pause(EntroQ queue, Task task) {
    Duration lease = Duration.between(queue.time(), task.arrivalTime());
    Duration pause = lease.compareTo(PAUSE_MAX) < 0 ? lease : PAUSE_MAX;
    return pause.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : pause;
  }
}
