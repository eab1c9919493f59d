package io.entroq.server.cli.queue.options;

import picocli.CommandLine.Option;

/** What every command has; not picocli's own, whose {@code -V} means something else here. */
public final class HelpOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean isHelpWanted;

  @Option(names = "--version", versionHelp = true, description = "Print the version and exit.")
  boolean isVersionWanted;
}
