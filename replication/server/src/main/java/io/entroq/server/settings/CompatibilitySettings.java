package io.entroq.server.settings;

import java.time.Duration;
import java.util.List;

/** What is done as EntroQ's own server does it. */
public final class CompatibilitySettings {
  private static final Declaring IN = new Declaring(Section.COMPATIBILITY);
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<Duration> HTTP_CLAIM_WAIT =
      IN.standard(
          "http-claim-wait",
          Kinds.span(Duration.ofMillis(1), DAY),
          "60s",
          "After which time a claim that waits is answered {} over HTTP.");

  public static final Setting<Boolean> HTTP_FLAT_ERRORS =
      IN.off(
          "http-flat-errors",
          "Answers whatever goes wrong over HTTP with a request that could be read with status 500,"
              + " code 2 and no details, as EntroQ does.");

  public static final Setting<Boolean> DROP_ARRIVAL_TIMES =
      IN.off(
          "drop-arrival-times",
          "Makes every changed task available at once, as EntroQ does: leases cannot be renewed."
              + " For comparisons only.");

  private CompatibilitySettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(HTTP_CLAIM_WAIT, HTTP_FLAT_ERRORS, DROP_ARRIVAL_TIMES);
  }
}
