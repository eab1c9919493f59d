package io.entroq.server.cli.queue;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.server.cli.queue.action.LastingEffect;
import io.entroq.server.cli.queue.options.JsonValuesOption;
import io.entroq.server.cli.queue.options.LeaseOption;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.print.TaskJson;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.Interruption;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code claim} command. */
@Command(
    name = "claim",
    header = "Claim a task from one or more queues.",
    description = {
      "",
      "Claims an available task under a lease and prints it as a line of JSON. If there is none,"
          + " it waits for a task that becomes due or whose lease expires or, on a server, for a"
          + " task that another process inserts. Ctrl-C stops waiting and leaves nothing claimed.",
      "",
      "To change or delete the task afterwards, use the same claimant: set EQC_CLAIMANT, or give"
          + " --claimant each time.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq claim --data data -q inbox -d 5m --claimant me",
      "  entroq claim --data data -q urgent -q inbox --try",
      "",
      "Exit status: 0 if a task was claimed; 1 if it failed, or if a task was claimed but could"
          + " not be printed (the message says which); 2 if the command line is wrong; 3 if there"
          + " is no task, with --try; 130 if it was interrupted."
    })
final class ClaimCommand extends TargetCommand implements LastingEffect {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      required = true,
      description = "Queue; repeatable. If several queues have tasks, the choice is random.")
  private List<String> queues;

  @Option(
      names = "--try",
      description =
          "Do not wait: if there is no task, print \"No task\" to standard error and exit with"
              + " status 3.")
  private boolean isTry;

  @Mixin private LeaseOption lease;

  @Mixin JsonValuesOption jsonValues;

  private Optional<Task> claimed = Optional.empty();

  @Override
  int run(EntroQ queue) {
    Claim claim = Claim.from(queues).withLease(lease.duration()).withClaimant(claimant());
    Optional<Task> task = queue.tryClaim(claim);
    if (task.isEmpty() && isTry) {
      note("No task");
      return STATUS_NONE;
    }
    return task.isPresent() ? printClaimed(task.get()) : await(queue, claim);
  }

  private int await(EntroQ queue, Claim claim) {
    noteNamed("no task available, waiting for one in " + String.join(", ", queues));
    Optional<List<Task>> claimed = interruption().await(queue.claimAsync(claim));
    if (claimed.isEmpty()) {
      noteNamed("interrupted, nothing is claimed");
      return Interruption.STATUS;
    }
    return printClaimed(claimed.get().get(0));
  }

  private int printClaimed(Task task) {
    claimed = Optional.of(task);
    try (JsonLines lines = json()) {
      lines.value(json -> TaskJson.write(json, task));
    }
    return STATUS_OK;
  }

  @Override
  public Optional<String> done() {
    return claimed.map(
        task ->
            "task %s was claimed by %s until %s"
                .formatted(task.id(), task.claimant(), task.arrivalTime()));
  }
}
