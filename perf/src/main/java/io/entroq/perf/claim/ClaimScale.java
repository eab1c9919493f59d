package io.entroq.perf.claim;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures claims with little and with much else in the engine. */
@Command(
    name = "ClaimScale",
    description = "How long a claim takes, with much else in the engine and with little.",
    subcommands = {PendingScale.class, QueueScale.class},
    mixinStandardHelpOptions = true)
public final class ClaimScale {
  private ClaimScale() {}

  /** Runs one of the comparisons. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new ClaimScale()).execute(args));
  }
}
