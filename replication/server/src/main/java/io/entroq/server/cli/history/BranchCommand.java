package io.entroq.server.cli.history;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.StateAt;
import io.entroq.server.cli.log.DurabilityOption;
import io.entroq.server.cli.queue.options.HelpOptions;
import io.entroq.server.cli.queue.options.PointText;
import io.entroq.tools.log.Branch;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code branch} command: see {@link Branch}. */
@Command(
    name = "branch",
    header = "Make a data directory with the state of a point in the past.",
    description = {
      "",
      "Makes a new data directory to try things out on real data. It has the tasks, docs and rules"
          + " that the other one had at that point, and a log of its own. Nobody waits in it, and"
          + " all its policies and limiters are paused; queues without a policy are not. The other"
          + " directory is not changed, and an engine may be running in it.",
      "",
      "Prints a JSON object with the sequence of the record whose state it has.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq branch --at 731 --data data try-out",
      "  entroq branch --at 2026-11-23T08:00Z --data data try-out",
      "",
      "Exit status: 0 if the directory was made; 1 if not; 2 if the command line is wrong; 130"
          + " if it was interrupted: then nothing was made."
    })
public final class BranchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin HelpOptions help;

  @Option(
      names = {"--at", "--time"},
      paramLabel = "POINT",
      required = true,
      converter = PointText.Converter.class,
      description =
          "Sequence of a record: after it. Or a time, in UTC unless it has an offset: after the"
              + " last record until then.")
  private PointText point;

  @Option(names = "--data", paramLabel = "DIR", required = true, description = "Data directory.")
  private Path data;

  @Mixin private DurabilityOption durability;

  @Parameters(paramLabel = "DEST", description = "New directory; must be empty or not exist.")
  private Path target;

  @Override
  public Integer call() {
    long memoryBytesMax = EmbeddedConfig.in(data).readOnly(true).build().memoryBytesMax();
    try (Interruption interruption = Interruption.ofEngine("branch");
        HistoryDirectory history = HistoryDirectory.open(data, durability.policy(), "branch");
        JsonLines lines = new JsonLines(spec.commandLine().getOut())) {
      Optional<Branch.Made> result = make(history, memoryBytesMax, interruption);
      if (result.isEmpty()) {
        PlainLine.print(
            spec.commandLine().getErr(), spec.qualifiedName() + ": interrupted, nothing was made");
        return Interruption.STATUS;
      }
      Branch.Made made = result.get();
      lines.line(
          json -> {
            json.writeStringField("branch", target.toAbsolutePath().normalize().toString());
            json.writeNumberField("sequence", made.sequence());
            json.writeStringField("logId", made.logId().toString());
            json.writeNumberField("paused", made.paused());
          });
      return 0;
    } catch (IllegalStateException e) {
      // The JVM lacks flags that the engine needs.
      throw new CommandException(e.getMessage(), e);
    }
  }

  /** Empty if it was interrupted. */
  private Optional<Branch.Made> make(
      HistoryDirectory history, long memoryBytesMax, Interruption interruption) {
    StateAt states = new StateAt(history, memoryBytesMax, sequence -> !interruption.isRequested());
    try {
      Branch branch = new Branch(data, target, interruption::isRequested);
      return Optional.of(branch.run(states, point.point()));
    } catch (RuntimeException e) {
      if (interruption.isRequested()) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
