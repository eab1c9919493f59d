package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.server.cli.queue.action.Clearing;
import io.entroq.server.cli.queue.options.ProgressOption;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.Quantity;
import io.entroq.tools.terminal.WaitBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code clear} command: see {@link Clearing}. */
@Command(
    name = "clear",
    header = "Delete all tasks of a queue.",
    description = {
      "",
      "Claims and deletes tasks until the queue is empty, and waits for tasks that are not due or"
          + " that others have claimed. Prints the number of deleted tasks to standard error.",
      "",
      "With --force it does not wait. The claimant of a deleted task can no longer commit it.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq clear --data data -q inbox/err",
      "  entroq clear --data data -q inbox -f    even tasks that are claimed or not due",
      "",
      "Exit status: 0 if the queue is empty; 1 if it failed; 2 if the command line is wrong; 130"
          + " if it was interrupted, with no task left claimed."
    })
final class ClearCommand extends TargetCommand {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      required = true,
      description = "Queue.")
  private String queueName;

  @Option(
      names = {"-f", "--force"},
      description = "Also delete tasks that are claimed or not due.")
  private boolean isForced;

  @Mixin private ProgressOption progress;

  @Override
  int run(EntroQ queue) {
    long size = queue.queues(QueueQuery.named(queueName)).getOrDefault(queueName, 0L);
    Clearing clearing;
    try (WaitBar bar = progress.barOfTasks("clearing", size)) {
      clearing =
          new Clearing(
              queue,
              queueName,
              claimant(),
              interruption(),
              bar::at,
              () -> noteNamed("waiting for tasks that are claimed or not due; -f does not wait"));
      if (isForced) {
        clearing.force();
      } else {
        clearing.run();
      }
    }
    boolean isInterrupted = interruption().isRequested();
    noteNamed(
        "%s%s deleted from %s"
            .formatted(
                isInterrupted ? "interrupted, " : "",
                Quantity.of(clearing.deleted(), "task"),
                queueName));
    return isInterrupted ? Interruption.STATUS : STATUS_OK;
  }
}
