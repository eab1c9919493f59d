package io.entroq.server.cli.log;

import io.entroq.engine.recovery.Detachment;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code detach} command: see {@link Detachment}. */
@Command(
    name = "detach",
    header = "Permanently turn the directory of a cluster member into that of a single server.",
    description = {
      "",
      "A member's directory holds a read-only mirror of the cluster's log. This makes it writable"
          + " for `entroq serve` and the queue commands. Stop the member first. It can never start"
          + " from this directory again.",
      "",
      "Forces the mirror to disk and replays it, which needs as much memory as the engine.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq detach data",
      "  entroq serve --data data",
      "",
      "Exit status: 0 if it was detached; 1 if not, and nothing was changed; 2 if the command"
          + " line is wrong."
    },
    mixinStandardHelpOptions = true)
public final class DetachCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Directory of a member.")
  private Path directory;

  @Override
  public Integer call() {
    Detachment.Found found = new Detachment(directory).run();
    spec.commandLine()
        .getOut()
        .printf(
            "%s is detached, with records up to %d (digests %016x and %016x).%n",
            directory, found.sequence(), found.historyDigest(), found.contentDigest());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
