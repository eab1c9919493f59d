package io.entroq.server.cli.work;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that begin with {@code work}. */
@Command(
    name = "work",
    header = "Work on tasks: call URLs, run programs, write files, make batches.",
    description = {
      "",
      "Each command is a worker: it claims tasks, renews their leases while it works, and deletes"
          + " each task and inserts its result in one step. After a crash, a task may be worked on"
          + " again; there is one result all the same. The help of each says what else may happen"
          + " twice.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work http --data data -q calls --allow-host api.example.com",
      "  entroq work proc -s localhost:37706 -q texts -- wc -w",
      "  entroq work batch -s localhost:37706 -q events -o batches --size 100",
      "",
      "Exit status: 0 if --until-empty ended it; 1 if it failed; 2 if the command line is wrong;"
          + " 128 plus the signal number if a signal ended it."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      MapCommand.class,
      HttpCommand.class,
      ProcCommand.class,
      FileCommand.class,
      AppendCommand.class,
      BatchCommand.class,
      GatewayCommand.class
    })
public final class WorkCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
