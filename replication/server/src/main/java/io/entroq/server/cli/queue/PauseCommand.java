package io.entroq.server.cli.queue;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.options.PolicyName;
import io.entroq.server.cli.queue.print.RulesJson;
import io.entroq.server.settings.DurationConverter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code pause} command. */
@Command(
    name = "pause",
    header = "Stop starting tasks of a queue, a prefix or a limiter.",
    description = {
      "",
      "Claims get no task until the pause ends. Everything else goes on: inserts, renewals and the"
          + " tasks that have started. Replaces the end of an earlier pause.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq pause --data data -q stripe --for 10m",
      "  entroq pause -s localhost:37706 --limiter stripe-api",
      "",
      "Exit status: 0 if it is paused; 1 if not; 2 if the command line is wrong."
    })
final class PauseCommand extends RulesCommand {
  @Mixin private PolicyName name;

  @Option(
      names = "--limiter",
      paramLabel = "NAME",
      description = "All queues that share this limiter.")
  private String limiter;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long: " + DurationConverter.FORMS + "; at most 366d. Default: until resumed.")
  private Duration length;

  private Policies.Pause pause;

  @Override
  void checkOptions() {
    Policies.Target target =
        name.target(limiter).orElseThrow(() -> usageError("Name one of -q, -p and --limiter"));
    if (length != null && length.toMillis() == 0) {
      throw usageError("--for must be at least 1ms; to end a pause, use entroq resume");
    }
    pause = new Policies.Pause(target, length == null ? Claim.FOREVER : length);
  }

  @Override
  int work(EntroQ queue) {
    Policies.Entry entry = commit(queue, List.of(pause)).policies().get(0);
    String end = RulesJson.pause(entry);
    succeed(
        "%s: paused %s".formatted(pause.target(), end.startsWith("until") ? end : "until " + end));
    return STATUS_OK;
  }
}
