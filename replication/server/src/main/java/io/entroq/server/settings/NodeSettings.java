package io.entroq.server.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All settings of a node, a server that stands on a member of a cluster. */
public final class NodeSettings {
  private static final List<Setting<?>> ALL =
      Stream.of(
              MembershipSettings.all(),
              List.<Setting<?>>of(StoreSettings.ACCEPT_CLOCK),
              ListeningSettings.all(),
              TlsSettings.all(),
              AuthorizationSettings.all(),
              BoundSettings.ofNode(),
              CompatibilitySettings.all(),
              TellingSettings.all(),
              EndingSettings.all())
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private NodeSettings() {}

  /** The table, in the order in which the help has them. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  /** What a server or a node can be told; of two with the same name that of a server. */
  public static List<Setting<?>> orOfServer() {
    Map<String, Setting<?>> either = new LinkedHashMap<>();
    ServerSettings.all().forEach(setting -> either.put(setting.name(), setting));
    ALL.forEach(setting -> either.putIfAbsent(setting.name(), setting));
    return new ArrayList<>(either.values());
  }
}
