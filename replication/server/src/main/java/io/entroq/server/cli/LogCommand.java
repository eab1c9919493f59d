package io.entroq.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that work on a log while no engine uses it. */
@Command(
    name = "log",
    header = "What an operator does to the log of a data directory.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = LogRepairCommand.class)
final class LogCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
