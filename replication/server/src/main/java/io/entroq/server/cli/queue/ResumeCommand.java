package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.options.PolicyName;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code resume} command. */
@Command(
    name = "resume",
    header = "End the pause of a queue, a prefix or a limiter.",
    description = {
      "",
      "Waiting claims get tasks at once, as far as the rules let them. Does nothing if there is no"
          + " pause.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq resume --data data -q stripe",
      "",
      "Exit status: 0 if it is not paused any more; 1 if it failed; 2 if the command line is wrong."
    })
final class ResumeCommand extends RulesCommand {
  @Mixin private PolicyName name;

  @Option(
      names = "--limiter",
      paramLabel = "NAME",
      description = "All queues that share this limiter.")
  private String limiter;

  private Policies.Target target;

  @Override
  void checkOptions() {
    target = name.target(limiter).orElseThrow(() -> usageError("Name one of -q, -p and --limiter"));
  }

  @Override
  int work(EntroQ queue) {
    commit(queue, List.of(new Policies.Pause(target, Duration.ZERO)));
    succeed(target + ": resumed");
    return STATUS_OK;
  }
}
