package io.entroq.server.cli;

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
    header = "Gives the directory of a cluster's member to an engine of its own, for good.",
    description = {
      "",
      "The log in the directory of a member is a mirror of what the cluster has agreed to, and can"
          + " only be read. Detached it can be written to by `entroq serve` and others, and no member"
          + " starts from it any more. Before that all of it is forced, and the newest snapshot and what"
          + " follows it are read, which takes as much memory as an engine; the member must have"
          + " ended.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq detach data",
      "  entroq serve --data data",
      "",
      "Exit status: 0 if it was detached; 1 if not, and nothing was changed; 2 if the command line is"
          + " wrong."
    },
    mixinStandardHelpOptions = true)
final class DetachCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The directory of a member.")
  private Path directory;

  @Override
  public Integer call() {
    Detachment.Found found = new Detachment(directory).run();
    spec.commandLine()
        .getOut()
        .printf(
            "%s is an engine's now, with records up to %d (digests %016x and %016x).%n",
            directory, found.sequence(), found.historyDigest(), found.contentDigest());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
