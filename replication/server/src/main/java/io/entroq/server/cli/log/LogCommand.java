package io.entroq.server.cli.log;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that work on the log of a data directory. */
@Command(
    name = "log",
    header = "Inspect, verify and repair the log of a data directory.",
    description = {
      "",
      "dump, verify and stats only read, even while an engine is running. repair needs exclusive"
          + " access to the directory.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log verify data",
      "  entroq log dump data | head",
      "",
      "Exit status: 0 if the log is intact; 1 if it is damaged or cannot be read; 2 if the"
          + " command line is wrong."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      LogDumpCommand.class,
      LogVerifyCommand.class,
      LogStatsCommand.class,
      LogRepairCommand.class
    })
public final class LogCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
