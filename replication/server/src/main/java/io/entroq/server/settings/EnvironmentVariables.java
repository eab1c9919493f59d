package io.entroq.server.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The environment variables that set, or seem to set, a setting. */
final class EnvironmentVariables {
  private static final String PREFIX = "ENTROQ_";

  /** The prefixes of EntroQ's own servers, one for each of its stores. */
  private static final List<String> FOREIGN_PREFIXES =
      List.of("EQMEM_", "EQPG_", "EQREDIS_", "EQSQLITE_");

  /** Orchestrators set variables that describe services; their names may equal a setting's. */
  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private static final Pattern SERVICE_VARIABLE =
      Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP|SCTP)(_.*)?)");

  private EnvironmentVariables() {}

  /** The settings that the environment sets. */
  static List<ExplicitValue> values(List<Setting<?>> table, Map<String, String> environment) {
    return table.stream().flatMap(setting -> value(setting, environment).stream()).toList();
  }

  /**
   * The value of a setting; our own name wins.
   *
   * @throws InvalidSettingException if EntroQ's names for it have different values
   */
  private static Optional<ExplicitValue> value(
      Setting<?> setting, Map<String, String> environment) {
    String own = setting.variable();
    if (isValue(environment.getOrDefault(own, ""))) {
      return Optional.of(value(setting, own, environment));
    }
    List<String> others =
        FOREIGN_PREFIXES.stream()
            .map(prefix -> prefix + own.substring(PREFIX.length()))
            .filter(name -> isValue(environment.getOrDefault(name, "")))
            .toList();
    for (String other : others) {
      if (!environment.get(other).equals(environment.get(others.get(0)))) {
        throw new InvalidSettingException(
            "%s: contradicts %s; set %s, or one of them".formatted(other, others.get(0), own));
      }
    }
    return others.stream().findFirst().map(name -> value(setting, name, environment));
  }

  private static ExplicitValue value(
      Setting<?> setting, String name, Map<String, String> environment) {
    return new ExplicitValue(setting, environment.get(name), new ValueSource.Variable(name));
  }

  private static boolean isValue(String text) {
    return !text.isEmpty() && !SERVICE_ADDRESS.matcher(text).matches();
  }

  /** The variables with a prefix of settings that belong to no setting. */
  static List<String> unknown(Map<String, String> environment) {
    List<String> known = known().toList();
    return environment.entrySet().stream()
        .filter(variable -> !SERVICE_ADDRESS.matcher(variable.getValue()).matches())
        .map(Map.Entry::getKey)
        .filter(name -> hasPrefix(name) && !known.contains(ownName(name)))
        .filter(name -> !SERVICE_VARIABLE.matcher(name).matches())
        .sorted()
        .toList();
  }

  /** The variable that a misspelled one was probably meant to be. */
  static Optional<String> closest(String misspelled) {
    List<String> names = known().map(name -> name.substring(PREFIX.length())).toList();
    return SpellingSuggestion.closest(ownName(misspelled).substring(PREFIX.length()), names)
        .map(PREFIX::concat);
  }

  private static boolean hasPrefix(String name) {
    return name.startsWith(PREFIX) || FOREIGN_PREFIXES.stream().anyMatch(name::startsWith);
  }

  /** The name with our own prefix. */
  private static String ownName(String name) {
    return PREFIX + name.substring(name.indexOf('_') + 1);
  }

  /** The variables of server and node, since one environment may serve both. */
  private static Stream<String> known() {
    return Stream.concat(
        Stream.of(Settings.FILE_VARIABLE),
        ServerSettings.ofEither().stream().map(Setting::variable));
  }
}
