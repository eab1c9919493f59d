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

  public static final Setting<Boolean> GC =
      IN.on(
              "gc",
              "Delete tasks and docs of queues and namespaces whose name has gc=TIME, such as"
                  + " /jobs/gc=1800000000 (seconds since the epoch, or RFC 3339), after that time.")
          .changeWhen("names contain gc= for another reason");

  private CompatibilitySettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(HTTP_CLAIM_WAIT, HTTP_FLAT_ERRORS, GC);
  }
}
