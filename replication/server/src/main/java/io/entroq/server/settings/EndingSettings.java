package io.entroq.server.settings;

import java.time.Duration;
import java.util.List;

/** How a server ends. */
public final class EndingSettings {
  private static final Declaring IN = new Declaring(Section.ENDING);
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<Duration> DRAIN_TIMEOUT =
      IN.standard(
          "drain-timeout",
          Kinds.span(Duration.ZERO, DAY),
          "15s",
          "How long requests may take that are under way when it is to end. A second signal cuts"
              + " them.");

  private EndingSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(DRAIN_TIMEOUT);
  }
}
