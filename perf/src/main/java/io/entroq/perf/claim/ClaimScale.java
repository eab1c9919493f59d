package io.entroq.perf.claim;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures claims of small and of large engines. */
@Command(
    name = "ClaimScale",
    description = "Measures how long claims take, with few and many tasks or queues.",
    subcommands = {PendingScale.class, QueueScale.class},
    mixinStandardHelpOptions = true)
public final class ClaimScale {
  private ClaimScale() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new ClaimScale()).execute(args));
  }
}
