package io.entroq.server.settings;

import java.time.Duration;
import java.util.List;

/** Settings of the shutdown. */
public final class ShutdownSettings {
  private static final Section IN = Section.SHUTDOWN;
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<Duration> DRAIN_TIMEOUT =
      IN.setting(
              "drain-timeout",
              SettingTypes.duration(Duration.ZERO, DAY),
              "15s",
              "How long to wait for running requests after SIGTERM or Ctrl-C. A second signal ends"
                  + " them at once.")
          .changeWhen("your supervisor kills the process sooner, or requests run longer");

  private ShutdownSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(DRAIN_TIMEOUT);
  }
}
