package io.entroq.server.cli;

import io.entroq.server.settings.Settings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that name the configuration file and print the settings. */
final class ConfigOptions {
  static final String FILE_FLAG = "--config";

  @Option(
      names = FILE_FLAG,
      paramLabel = "FILE",
      description = "Configuration file, YAML. Default: $" + Settings.FILE_VARIABLE + ".")
  private Path file;

  // Whoever prints the help finds the option on the command line.
  @SuppressWarnings("unused")
  @Option(
      names = SettingsOptions.HELP_ALL,
      description = "Show the help with all options, as on the page SETTINGS.md.")
  private boolean isHelpInFullWanted;

  @Option(
      names = "--print-config",
      description =
          "Print the resulting settings with their sources as a configuration file, and exit.")
  private boolean isPrinted;

  /** The file on the command line; null if none was given. */
  Path file() {
    return file;
  }

  boolean isPrinted() {
    return isPrinted;
  }
}
