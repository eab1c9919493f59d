package io.entroq.simulator.planted;

import java.util.Locale;
import java.util.Map;

/** Prints PLANTED.md, which shows the invariants that caught each planted bug. */
final class PlantedTable {
  private static final String HEAD =
      """
      # Planted bugs

      The test of the tests. Each of these %d bugs was planted into the product, one at a time, and the
      simulator searched for it in default worlds of a quarter of an hour, one seed after another, for at
      most two minutes of processor time on each of two threads. It caught %d of them, the slowest after
      %s. The unchanged product, loaded the same way, ran the same seeds for as long without a violation.

      A planted bug is a [diff](src/test/resources/planted) of a few lines that must fit the source, so
      this page stays true to the code. Five trials with different seeds share the two minutes; they end
      when three have caught the bug or time is up. *Median* is the simulated time until three of five had
      caught it. If several invariants are named, the first was violated most often. A bug that nothing
      catches is a missing invariant.

      To rewrite the page:

          mvn test -Plong -pl engine/simulator -am -Dtest=PlantedBugsLongTest -Dsurefire.failIfNoSpecifiedTests=false -Dplanted.table=PLANTED.md
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

  /** If too few trials have caught it, their average simulated time is a lower bound. */
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
