package io.entroq.server.cli;

import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The settings of a server as options of a command. */
final class ServeOptions extends SettingsOptions {
  /** Found by picocli. */
  ServeOptions() {
    super(ServerSettings.all());
  }

  /**
   * What a server is told by a command line, the environment and a configuration file.
   *
   * @param config the file that the command line names; null: none
   * @throws CommandLine.ParameterException if something cannot be
   */
  static Settings settings(CommandLine command, Path config) {
    return settings(ServerSettings.all(), command, config, SettingsRules::check);
  }

  /**
   * The same command line with its command, if it has none but begins with a flag of a server: so
   * were servers of EntroQ started before they had commands, and so do some of its tests.
   */
  static String[] withCommand(String... words) {
    if (words.length == 0 || !isFlag(words[0])) {
      return words;
    }
    List<String> longer = new ArrayList<>(List.of("serve"));
    longer.addAll(List.of(words));
    return longer.toArray(new String[0]);
  }

  private static boolean isFlag(String word) {
    String name = word.split("=", 2)[0];
    return name.equals(ConfigOptions.FILE_FLAG)
        || ServerSettings.all().stream()
            .anyMatch(setting -> List.of(setting.flags()).contains(name));
  }
}
