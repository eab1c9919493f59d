package io.entroq.server.settings;

import java.time.Duration;
import java.util.List;

/** Settings that imitate EntroQ's own server. */
public final class CompatibilitySettings {
  private static final Section IN = Section.COMPATIBILITY;
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<Duration> HTTP_CLAIM_WAIT =
      IN.setting(
              "http-claim-wait",
              SettingTypes.duration(Duration.ofMillis(1), DAY),
              "60s",
              "How long a claim over HTTP waits for a task before the server answers {}.")
          .changeWhen("a proxy in front of the server times out sooner");

  public static final Setting<Boolean> HTTP_FLAT_ERRORS =
      IN.off(
              "http-flat-errors",
              "Report every error of a well-formed HTTP request as status 500, code 2, without"
                  + " details, as EntroQ does.")
          .changeWhen("a client expects EntroQ's status codes");

  public static final Setting<Boolean> DROP_ARRIVAL_TIMES =
      IN.off(
              "drop-arrival-times",
              "Make every changed task available at once, as EntroQ does. Leases cannot be renewed"
                  + " then. For comparisons only.")
          .changeWhen("you compare the two servers");

  private CompatibilitySettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(HTTP_CLAIM_WAIT, HTTP_FLAT_ERRORS, DROP_ARRIVAL_TIMES);
  }
}
