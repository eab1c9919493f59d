package io.entroq.server.cli;

import io.entroq.tools.terminal.PlainLine;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a command that runs for long and ends with a JSON object tells, and where. */
final class ReportOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--no-progress", description = "Show no progress.")
  private boolean noProgress;

  @Option(
      names = "--json",
      description =
          "Print only the JSON object to the standard output; other output goes to standard"
              + " error.")
  private boolean json;

  boolean isProgressWanted() {
    return !noProgress;
  }

  /** Says it to people, each line as a terminal can take it. */
  void say(String lines) {
    PrintWriter writer = json ? err() : out();
    lines.lines().forEach(line -> PlainLine.print(writer, line));
  }

  /** Where the JSON object goes. */
  PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Where progress goes. */
  PrintWriter err() {
    return command.commandLine().getErr();
  }
}
