package io.entroq.server.settings;

import java.time.Duration;
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

  public static final Setting<Duration> READINESS_INTERVAL =
      IN.setting(
          "readiness-interval",
          SettingTypes.duration(Duration.ZERO, Duration.ofDays(366)),
          "5s",
          "For EntroQ's command lines; no effect, since a claim that waits gets a task at the time"
              + " at which it becomes available.");

  private CompatibilitySettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(GC, READINESS_INTERVAL);
  }
}
