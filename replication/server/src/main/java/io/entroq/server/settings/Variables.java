package io.entroq.server.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the environment says of settings. */
final class Variables {
  private static final String PREFIX = "ENTROQ_";

  /** How an orchestrator tells of services, by variables that may have the names of ours. */
  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private static final Pattern SERVICE_VARIABLE =
      Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP|SCTP)(_.*)?)");

  private final List<Setting<?>> table;
  private final Map<String, String> environment;

  /**
   * @param table what can be said
   */
  Variables(List<Setting<?>> table, Map<String, String> environment) {
    this.table = table;
    this.environment = environment;
  }

  /** The settings that it gives. */
  List<Given> given() {
    List<Given> given = new ArrayList<>();
    for (Setting<?> setting : table) {
      String text = environment.get(setting.variable());
      if (text != null && !text.isEmpty() && !isServiceAddress(text)) {
        given.add(new Given(setting, text, new Source.Variable()));
      }
    }
    return given;
  }

  /** The variables that have the form of a setting's, and belong to none of any table. */
  List<String> unknown() {
    List<String> known = known();
    return environment.entrySet().stream()
        .filter(variable -> !isServiceAddress(variable.getValue()))
        .map(Map.Entry::getKey)
        .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
        .filter(name -> !SERVICE_VARIABLE.matcher(name).matches())
        .sorted()
        .toList();
  }

  private static boolean isServiceAddress(String text) {
    return SERVICE_ADDRESS.matcher(text).matches();
  }

  /** The variable that somebody may have meant who has mistyped it. */
  static Optional<String> nearest(String mistyped) {
    return Nearest.to(mistyped.substring(PREFIX.length()), names()).map(PREFIX::concat);
  }

  /** What is behind the prefix in those that mean something. */
  private static List<String> names() {
    return known().stream().map(name -> name.substring(PREFIX.length())).toList();
  }

  private static List<String> known() {
    List<String> known = new ArrayList<>(List.of(Settings.FILE_VARIABLE));
    // Whoever has both has an environment for both.
    NodeSettings.orOfServer().forEach(setting -> known.add(setting.variable()));
    return known;
  }
}
