package io.entroq.server.cli.queue;

import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.server.cli.queue.options.JsonValuesOption;
import io.entroq.server.cli.queue.options.LeaseOption;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.options.TaskName;
import io.entroq.server.cli.queue.print.TaskJson;
import io.entroq.tools.log.JsonLines;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code tryclaimid} command. */
@Command(
    name = "tryclaimid",
    header = "Claim a particular task.",
    description = {
      "",
      "Claims the task under a lease unless it is claimed or not due, and prints it as a line of"
          + " JSON. This counts as a change of the task: its version increases, but its claim count"
          + " does not.",
      "",
      "To change or delete the task afterwards, use the same claimant: set EQC_CLAIMANT, or give"
          + " --claimant each time.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq tryclaimid --data data -q inbox -t 4b1fa52fd5b3cc0e --claimant me",
      "  entroq tryclaimid --data data -q inbox -t 4b1fa52fd5b3cc0e:3 -d 1h",
      "",
      "Exit status: 0 if the task is claimed; 1 if it does not exist or another claimant has"
          + " it; 2 if the command line is wrong."
    })
final class TryClaimIdCommand extends TargetCommand {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      required = true,
      description = "Queue of the task.")
  private String queueName;

  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID[:VERSION]",
      required = true,
      converter = TaskName.Converter.class,
      description = "Task.")
  private TaskName name;

  @Mixin private LeaseOption lease;

  @Mixin JsonValuesOption jsonValues;

  @Override
  int run(EntroQ queue) {
    Task task = name.require(queue, queueName);
    Modification claim =
        Modification.change(Change.of(task).availableIn(lease.duration())).withClaimant(claimant());
    Task claimed = Commit.require(task, queue.modify(claim), "try again later").changed().get(0);
    try (JsonLines lines = json()) {
      lines.value(json -> TaskJson.write(json, claimed));
    }
    return STATUS_OK;
  }
}
