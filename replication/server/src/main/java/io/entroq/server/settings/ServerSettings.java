package io.entroq.server.settings;

import java.util.List;
import java.util.stream.Stream;

/** All settings of a server, in the order in which the help has them. */
public final class ServerSettings {
  private static final List<Setting<?>> ALL =
      Stream.of(
              ListeningSettings.all(),
              StoreSettings.all(),
              TlsSettings.all(),
              AuthorizationSettings.all(),
              BoundSettings.all(),
              CompatibilitySettings.all(),
              TellingSettings.all(),
              EndingSettings.all())
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private ServerSettings() {}

  /** The table. */
  public static List<Setting<?>> all() {
    return ALL;
  }
}
