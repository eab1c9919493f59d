package io.entroq.server.cli.queue.options;

import io.entroq.tools.terminal.Terminal;
import io.entroq.tools.terminal.WaitBar;
import picocli.CommandLine.Option;

/** Whether to show progress. */
public final class ProgressOption {
  @Option(
      names = "--no-progress",
      description = "Show no progress; without a terminal none is shown anyway.")
  private boolean isOff;

  /** For a command that prints only its result. */
  public WaitBar barOfTasks(String what, long total) {
    return WaitBar.ofItems(what, total, "tasks", !isOff && Terminal.isErrorAttached());
  }

  /** For a command whose output is progress enough if it goes to a terminal. */
  public WaitBar barBesideOutput(String what, long total) {
    boolean isSeen = Terminal.isErrorAttached() && !Terminal.isOutputAttached();
    return WaitBar.ofItems(what, total, "tasks", !isOff && isSeen);
  }
}
