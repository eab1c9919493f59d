package io.entroq.server.cli;

import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import java.nio.file.Path;
import picocli.CommandLine;

/** The settings of a server or a node, whichever is asked, as options of a command. */
final class HealthOptions extends SettingsOptions {
  /** Found by picocli. */
  HealthOptions() {
    super(ServerSettings.ofEither());
  }

  /**
   * What the one who is asked is told by a command line, the environment and a configuration file.
   *
   * @param config the file that the command line names; null: none
   * @throws CommandLine.ParameterException if something cannot be
   */
  static Settings settings(CommandLine command, Path config) {
    return settings(ServerSettings.ofEither(), command, config, SettingsRules::checkGuards);
  }
}
