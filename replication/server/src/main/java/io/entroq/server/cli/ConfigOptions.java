package io.entroq.server.cli;

import io.entroq.server.settings.Settings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that say where settings come from, and whether they are only to be told. */
final class ConfigOptions {
  static final String FILE_FLAG = "--config";

  @Option(
      names = FILE_FLAG,
      paramLabel = "FILE",
      description = "A configuration file, YAML. Default: $" + Settings.FILE_VARIABLE + ".")
  private Path file;

  @Option(
      names = "--print-config",
      description =
          "Prints what holds, as a configuration file, and where it comes from; runs nothing.")
  private boolean isPrinted;

  /** The configuration file that the command line names; null: none. */
  Path file() {
    return file;
  }

  /** Whether the settings are printed, and nothing is done. */
  boolean isPrinted() {
    return isPrinted;
  }
}
