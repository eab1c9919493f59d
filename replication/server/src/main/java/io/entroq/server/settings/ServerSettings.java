package io.entroq.server.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The tables of all settings, in the order of the help. */
public final class ServerSettings {
  private static final List<Setting<?>> ALL =
      table(
          Stream.of(
              ListeningSettings.all(),
              StoreSettings.all(),
              TlsSettings.all(),
              AuthenticationSettings.all(),
              AuthorizationSettings.all(),
              ConsoleSettings.all(),
              LimitSettings.all(),
              CompatibilitySettings.all(),
              LoggingSettings.all(),
              ShutdownSettings.all()));

  private static final List<Setting<?>> NODE =
      table(
          Stream.of(
              MembershipSettings.all(),
              List.of(StoreSettings.HISTORY, StoreSettings.ACCEPT_CLOCK),
              ListeningSettings.all(),
              TlsSettings.all(),
              AuthenticationSettings.all(),
              AuthorizationSettings.all(),
              ConsoleSettings.all(),
              LimitSettings.ofNode(),
              CompatibilitySettings.all(),
              LoggingSettings.all(),
              ShutdownSettings.all()));

  private ServerSettings() {}

  private static List<Setting<?>> table(Stream<List<Setting<?>>> parts) {
    return parts.<Setting<?>>flatMap(List::stream).toList();
  }

  /** The settings of {@code entroq serve}. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  /** The settings of {@code entroq node}. */
  public static List<Setting<?>> ofNode() {
    return NODE;
  }

  /** The union of both; where two have the same name, the setting of {@code serve}. */
  public static List<Setting<?>> ofEither() {
    Map<String, Setting<?>> either = new LinkedHashMap<>();
    ALL.forEach(setting -> either.put(setting.name(), setting));
    NODE.forEach(setting -> either.putIfAbsent(setting.name(), setting));
    return new ArrayList<>(either.values());
  }
}
