package io.entroq.server.settings;

import java.util.List;

/** Settings of what EntroQ's own server does, too. */
public final class CompatibilitySettings {
  private static final Section IN = Section.COMPATIBILITY;

  public static final Setting<Boolean> GC =
      IN.on(
              "gc",
              "Delete tasks and docs of queues and namespaces whose name has gc=TIME, such as"
                  + " /jobs/gc=1800000000 (seconds since the epoch, or RFC 3339), after that time.")
          .changeWhen("names contain gc= for another reason");

  private CompatibilitySettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(GC);
  }
}
