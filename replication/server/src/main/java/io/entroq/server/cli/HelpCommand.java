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
    header = "Explains a command.",
    description = {"", "The same as the option --help of that command.", ""},
    footer = {
      "",
      "Examples:",
      "  entroq help",
      "  entroq help log dump",
      "",
      "Exit status: 0 if there is such a command; 2 if not."
    },
    mixinStandardHelpOptions = true)
final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "The command, with what it belongs to in front. Default: entroq itself.")
  private List<String> names = List.of();

  @Override
  public void run() {
    CommandLine command = spec.parent().commandLine();
    for (String name : names) {
      CommandLine found = command.getSubcommands().get(name);
      if (found == null) {
        throw new ParameterException(
            spec.commandLine(),
            "%s has no command %s".formatted(command.getCommandSpec().qualifiedName(), name));
      }
      command = found;
    }
    command.usage(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
  }
}
