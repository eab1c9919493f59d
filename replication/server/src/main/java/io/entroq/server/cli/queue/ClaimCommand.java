package io.entroq.server.cli.queue;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Task;
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
    header = "Claims a task from a queue, or from one of several.",
    description = {
      "",
      "Takes an available task under a lease and prints it as a line of JSON. Where there is none"
          + " it waits for one: on a server also for one that somebody inserts, in a directory,"
          + " which this command has to itself, for one that becomes due or whose lease ends."
          + " Ctrl-C ends it, and nothing stays claimed.",
      "",
      "Who is to change or delete the task afterwards has to ask in the same name: set"
          + " EQC_CLAIMANT, or give --claimant each time.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq claim --data data -q inbox -d 5m --claimant me",
      "  entroq claim --data data -q urgent -q inbox --try",
      "",
      "Exit status: 0 if a task was claimed, or with --try if there is none; 1 if it went wrong, or"
          + " if a task was claimed and could not be printed, which is said; 2 if the command line"
          + " is wrong; 130 if it was interrupted."
    })
final class ClaimCommand extends TargetCommand implements Lasting {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      required = true,
      description =
          "The queue; may be given several times: then all that have work are equally likely.")
  private List<String> queues;

  @Option(
      names = "--try",
      description = "Do not wait: if there is none now, say \"No task\" on the error output.")
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
      return STATUS_OK;
    }
    return task.isPresent() ? printed(task.get()) : await(queue, claim);
  }

  private int await(EntroQ queue, Claim claim) {
    noteNamed("no task yet, waiting for one to become due in " + String.join(", ", queues));
    Optional<List<Task>> claimed = interruption().await(queue.claimAsync(claim));
    if (claimed.isEmpty()) {
      noteNamed("interrupted, nothing is claimed");
      return Interruption.STATUS;
    }
    return printed(claimed.get().get(0));
  }

  private int printed(Task task) {
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
