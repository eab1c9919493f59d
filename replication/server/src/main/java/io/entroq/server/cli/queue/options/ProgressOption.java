package io.entroq.server.cli.queue.options;

import io.entroq.tools.terminal.Terminal;
import io.entroq.tools.terminal.WaitBar;
import picocli.CommandLine.Option;

/** The option that turns off the progress bar. */
public final class ProgressOption {
  @Option(
      names = "--no-progress",
      description = "Show no progress. Without a terminal, none is shown anyway.")
  private boolean isOff;

  /** A bar for a command that prints only its result. */
  public WaitBar barOfTasks(String what, long total) {
    return WaitBar.ofItems(what, total, "tasks", !isOff && Terminal.isErrorAttached());
  }

  /** A bar for a command whose output, if it goes to a terminal, shows the progress itself. */
  public WaitBar barBesideOutput(String what, long total) {
    boolean isVisible = Terminal.isErrorAttached() && !Terminal.isOutputAttached();
    return WaitBar.ofItems(what, total, "tasks", !isOff && isVisible);
  }
}
