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
    header = "Deletes a task.",
    description = {
      "",
      "Deletes the task of that id, whatever its version is, unless one is named, and prints null."
          + " While somebody else holds it, or it is not due, tries again every three seconds, or when"
          + " that ends.",
      "",
      "With --force it is deleted all the same. Then the holder finds that it has lost the task, and"
          + " what it has done is not committed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq rm --data data -t 4b1fa52fd5b3cc0e",
      "  entroq rm --data data -t 4b1fa52fd5b3cc0e:3 -r 1",
      "",
      "Exit status: 0 if the task was deleted; 1 if not; 2 if the command line is wrong; 130 if it was"
          + " interrupted."
    })
final class RmCommand extends TargetCommand {
  private static final Duration PAUSE_MAX = Duration.ofSeconds(3);
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);

  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID[:VERSION]",
      required = true,
      converter = TaskName.Converter.class,
      description = "The task.")
  private TaskName name;

  @Option(
      names = {"-f", "--force"},
      description = "Delete it in the name of whoever holds it, or before it is due.")
  private boolean isForced;

  @Option(
      names = {"-r", "--retries"},
      paramLabel = "N",
      description = "How often to try while somebody else holds the task. Default: 10.")
  private int triesMax = 10;

  @Override
  void checkOptions() {
    if (triesMax < 1) {
      throw misused("-r %d is below 1".formatted(triesMax));
    }
  }

  @Override
  int run(EntroQ queue) {
    int tries = 1;
    Task task = name.require(queue, "");
    while (!isDeleted(queue, task, tries == triesMax)) {
      if (tries == 1) {
        noteNamed(Commit.reason(task) + ", trying again; --force does not wait");
      }
      interruption().pause(pause(queue, task));
      if (interruption().isRequested()) {
        noteNamed("interrupted, the task is still there");
        return Interruption.STATUS;
      }
      tries++;
      task = name.require(queue, "");
    }
    print("null");
    return STATUS_OK;
  }

  /** False if somebody else holds it. */
  private boolean isDeleted(EntroQ queue, Task task, boolean isLast) {
    String claimant = isForced ? task.claimant() : claimant();
    ModifyResult result = queue.modify(Modification.delete(task).withClaimant(claimant));
    boolean isHeld =
        result instanceof ModifyResult.DependencyFailure failure && failure.onlyClaims();
    if (isHeld && !isLast) {
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
