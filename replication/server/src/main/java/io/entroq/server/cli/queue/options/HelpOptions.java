package io.entroq.server.cli.queue.options;

import picocli.CommandLine.Option;

/** What every command has; not picocli's own, whose {@code -V} means something else here. */
public final class HelpOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  boolean isHelpWanted;

  @Option(
      names = "--version",
      versionHelp = true,
      description = "Print version information and exit.")
  boolean isVersionWanted;
}
