package io.entroq.server.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code help} command. */
@Command(
    name = "help",
    header = "Show the help of a command.",
    description = {"", "Same as `entroq COMMAND --help`.", ""},
    footer = {
      "",
      "Examples:",
      "  entroq help",
      "  entroq help log dump",
      "",
      "Exit status: 0 if the command exists; 2 if it does not."
    },
    mixinStandardHelpOptions = true)
final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "Command, with its parent commands first. Default: entroq.")
  private List<String> names = List.of();

  @Override
  public void run() {
    CommandLine command = spec.parent().commandLine();
    for (String name : names) {
      CommandLine found = command.getSubcommands().get(name);
      if (found == null) {
        throw new ParameterException(spec.commandLine(), UsageErrors.unknownCommand(command, name));
      }
      command = found;
    }
    command.usage(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
  }
}
