package io.entroq.server.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code completion} command. */
@Command(
    name = "completion",
    header = "Print a script for command-line completion in bash and zsh.",
    description = {
      "",
      "The script completes a command named entroq, such as the alias in the example.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  alias entroq='java -jar /opt/entroq.jar'",
      "  source <(entroq completion)                          in this shell",
      "  entroq completion > ~/.local/share/bash-completion/completions/entroq",
      "",
      "Exit status: 0 if the script was printed; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine entroq = spec.root().commandLine();
    spec.commandLine().getOut().print(AutoComplete.bash(spec.root().name(), entroq));
    spec.commandLine().getOut().flush();
  }
}
