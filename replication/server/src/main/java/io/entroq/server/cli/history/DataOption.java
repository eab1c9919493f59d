package io.entroq.server.cli.history;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The directory of a command that reads nothing else. */
final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "Data directory. An engine may be running in it.")
  private Path data;

  Path data() {
    return data;
  }
}
