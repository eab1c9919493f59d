package io.entroq.server.cli.queue.print;

import java.time.Duration;

/** A duration in at most two units, for a table. */
public final class AgeText {
  private AgeText() {}

  public static String of(Duration age) {
    if (age.toDays() > 0) {
      return "%dd%02dh".formatted(age.toDays(), age.toHoursPart());
    }
    if (age.toHours() > 0) {
      return "%dh%02dm".formatted(age.toHours(), age.toMinutesPart());
    }
    return age.toMinutes() > 0
        ? "%dm%02ds".formatted(age.toMinutes(), age.toSecondsPart())
        : age.toSeconds() + "s";
  }
}
