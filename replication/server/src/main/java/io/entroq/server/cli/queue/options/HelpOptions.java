package io.entroq.server.cli.queue.options;

import picocli.CommandLine.Option;

/** Help and version. Picocli's standard options would take {@code -V}, which is in use. */
public final class HelpOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean isHelpWanted;

  @Option(names = "--version", versionHelp = true, description = "Print the version and exit.")
  boolean isVersionWanted;
}
