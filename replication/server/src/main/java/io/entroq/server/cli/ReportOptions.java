package io.entroq.server.cli;

import io.entroq.tools.terminal.PlainLine;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Output options of long-running commands that end with a JSON object. */
final class ReportOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--no-progress", description = "Show no progress.")
  private boolean noProgress;

  @Option(
      names = "--json",
      description =
          "Print only the JSON object to standard output, and everything else to standard error.")
  private boolean json;

  boolean showsProgress() {
    return !noProgress;
  }

  /** Prints human-readable lines, with control characters replaced. */
  void print(String lines) {
    PrintWriter writer = json ? err() : out();
    lines.lines().forEach(line -> PlainLine.print(writer, line));
  }

  /** The stream for the JSON object. */
  PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** The stream for progress. */
  PrintWriter err() {
    return command.commandLine().getErr();
  }
}
