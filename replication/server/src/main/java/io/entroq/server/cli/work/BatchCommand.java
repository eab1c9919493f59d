package io.entroq.server.cli.work;

import io.entroq.api.EntroQ;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.settings.DurationConverter;
import io.entroq.workers.BatchWorker;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code work batch} command. */
@Command(
    name = "batch",
    header = "Make one task of many, with the JSON array of their values.",
    description = {
      "",
      "A batch ends when it is full, when no task has come for a while, or some time after its first"
          + " task. One step deletes its tasks and inserts it, so each task is in one batch, whatever"
          + " fails. A task whose value is not JSON is moved to its queue followed by /err.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work batch --data data -q events -o batches --size 100 --wait 10",
      "",
      "Exit status: 0 if --until-empty ended it; 1 if it failed; 2 if the command line is wrong;"
          + " 128 plus the signal number if a signal ended it."
    })
final class BatchCommand extends WorkerCommand {
  @Option(
      names = {"-o", "--outbox"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      required = true,
      description = "Queue for batches.")
  private String outbox;

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "Most tasks of a batch, at most 1000. Default: 10.")
  private int size = 10;

  @Option(
      names = "--max-bytes",
      paramLabel = "BYTES",
      description =
          "Most bytes of a batch, at most 8388608; a larger value is a batch of its own. Default:"
              + " 524288.")
  private int bytesMax = 512 * 1024;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long after its first task a batch ends at the latest; at most half a lease. Default:"
              + " 5.")
  private Duration maxWait = Duration.ofSeconds(5);

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long a batch waits for one more task. Default: 1.")
  private Duration grace = Duration.ofSeconds(1);

  @Override
  void prepare() {}

  @Override
  Running start(EntroQ queue) {
    BatchWorker worker =
        BatchWorker.on(queue)
            .from(queues().toArray(String[]::new))
            .lease(lease())
            .maxSize(size)
            .maxBytes(bytesMax)
            .maxWait(maxWait)
            .grace(grace)
            .start(outbox);
    return new Running() {
      @Override
      public boolean isRunning() {
        return worker.isRunning();
      }

      @Override
      public void close() {
        worker.close();
      }
    };
  }
}
