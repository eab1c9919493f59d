package io.entroq.server.cli.queue.options;

import io.entroq.tools.terminal.PlainLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Lets a command do what cannot be undone, or stops others. */
public final class ConfirmOption {
  @Option(names = "--yes", description = "Do it; otherwise the command only says what it would do.")
  private boolean isConfirmed;

  public boolean isConfirmed() {
    return isConfirmed;
  }

  /**
   * Ends the explanation of a command that is not confirmed.
   *
   * @param what would be done, to complete "Add --yes to"
   * @return the exit status
   */
  public int refuse(CommandSpec spec, String what) {
    PlainLine.print(spec.commandLine().getErr(), "Nothing was changed. Add --yes to " + what + ".");
    return spec.exitCodeOnInvalidInput();
  }
}
