package io.entroq.simulator.planted;

import java.util.Locale;
import java.util.Map;

/** The page that says which invariant has caught which bug. */
final class PlantedTable {
  private static final String HEAD =
      """
      # Planted bugs

      The test of the tests. Each of these %d bugs was planted into the product, one at a time, and the simulator was let loose on it: worlds as they are by
      default, a quarter of an hour each, one seed after the other, for two minutes of the time of two processors at most. It caught %d of them, the slowest after %s. The product
      itself, loaded in the same way, went through the same seeds for as long without a violation.

      A bug is a change of a few lines, kept as a [diff](src/test/resources/planted) that has to fit the source, so that the page stays true to the code. Five
      trials with seeds of their own share the two minutes; they end when three of them have caught it, or when the time is over. *Median* is the time that passed
      in the worlds of a trial until three of the five had caught it. Where several invariants are named the first was broken most often. A bug that nothing catches
      is a missing invariant.

          mvn test -Plong -pl engine/simulator -am -Dtest=PlantedBugsLongTest -Dsurefire.failIfNoSpecifiedTests=false -Dplanted.table=PLANTED.md

      writes the page anew.
      """;

  private PlantedTable() {}

  /** All of it, by area. */
  static String of(Map<PlantedBug, Hunted> all) {
    double slowest =
        all.values().stream()
            .filter(Hunted::isCaught)
            .mapToDouble(Hunted::firstSeconds)
            .max()
            .orElse(Double.NaN);
    long caught = all.values().stream().filter(Hunted::isCaught).count();
    StringBuilder page = new StringBuilder(HEAD.formatted(all.size(), caught, seconds(slowest)));
    String area = "";
    for (Map.Entry<PlantedBug, Hunted> each : all.entrySet()) {
      if (!each.getKey().area().equals(area)) {
        area = each.getKey().area();
        page.append("\n## ").append(area).append("\n\n");
        page.append("| bug | what it breaks | caught by | median |\n|---|---|---|---:|\n");
      }
      page.append(row(each.getKey(), each.getValue())).append('\n');
    }
    return page.toString();
  }

  static String row(PlantedBug bug, Hunted hunted) {
    return "| `%s` | %s | %s | %s |"
        .formatted(
            bug.name(),
            bug.breaks(),
            hunted.isCaught() ? String.join(", ", hunted.invariants()) : "nothing",
            median(hunted));
  }

  /** If too few have caught it, how long all of them have tried on average is a lower bound. */
  private static String median(Hunted hunted) {
    double hours = hunted.medianHours();
    return Double.isInfinite(hours)
        ? "over " + time(hunted.hours() / hunted.trials())
        : time(hours);
  }

  private static String time(double hours) {
    double seconds = hours * 3_600;
    if (seconds < 100) {
      return seconds(seconds);
    }
    return hours < 1 ? number("%.0f min", seconds / 60) : number("%.1f h", hours);
  }

  private static String seconds(double seconds) {
    return number("%.0f s", Math.ceil(seconds));
  }

  private static String number(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
