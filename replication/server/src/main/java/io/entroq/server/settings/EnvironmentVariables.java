package io.entroq.server.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The environment variables that set, or seem to set, a setting. */
final class EnvironmentVariables {
  private static final String PREFIX = "ENTROQ_";

  /** Orchestrators set variables that describe services; their names may equal a setting's. */
  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private static final Pattern SERVICE_VARIABLE =
      Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP|SCTP)(_.*)?)");

  private EnvironmentVariables() {}

  /** The settings that the environment sets. */
  static List<ExplicitValue> values(List<Setting<?>> table, Map<String, String> environment) {
    return table.stream()
        .filter(setting -> isValue(environment.getOrDefault(setting.variable(), "")))
        .map(
            setting ->
                new ExplicitValue(
                    setting, environment.get(setting.variable()), new ValueSource.Variable()))
        .toList();
  }

  private static boolean isValue(String text) {
    return !text.isEmpty() && !SERVICE_ADDRESS.matcher(text).matches();
  }

  /** The variables with the prefix of settings that belong to no setting. */
  static List<String> unknown(Map<String, String> environment) {
    List<String> known = known().toList();
    return environment.entrySet().stream()
        .filter(variable -> !SERVICE_ADDRESS.matcher(variable.getValue()).matches())
        .map(Map.Entry::getKey)
        .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
        .filter(name -> !SERVICE_VARIABLE.matcher(name).matches())
        .sorted()
        .toList();
  }

  /** The variable that a misspelled one was probably meant to be. */
  static Optional<String> closest(String misspelled) {
    List<String> names = known().map(name -> name.substring(PREFIX.length())).toList();
    return SpellingSuggestion.closest(misspelled.substring(PREFIX.length()), names)
        .map(PREFIX::concat);
  }

  /** The variables of server and node, since one environment may serve both. */
  private static Stream<String> known() {
    return Stream.concat(
        Stream.of(Settings.FILE_VARIABLE),
        ServerSettings.ofEither().stream().map(Setting::variable));
  }
}
