package io.entroq.server.demo.report;

/** Formats the progress bar for the width of the terminal. */
final class BarLine {
  private static final int BAR_MIN = 10;
  private static final int BAR_MAX = 40;

  private BarLine() {}

  /**
   * Returns percentage, bar, tasks and phase. A narrow line omits the word "tasks" first, then the
   * phase, then the bar.
   *
   * @param columns width of the terminal; the last column stays free, as some terminals wrap there
   */
  static String of(long committed, long total, String phase, int columns) {
    String percent = "%3d %%".formatted(100 * committed / total);
    String totalText = "%,d".formatted(total);
    String tasks =
        "%%%ds/%%s".formatted(totalText.length()).formatted("%,d".formatted(committed), totalText);
    String[] tails = {tasks + " tasks, " + phase, tasks + " " + phase, tasks};
    for (String tail : tails) {
      // 5: two spaces, two brackets and the free column.
      int bar = Math.min(BAR_MAX, columns - percent.length() - tail.length() - 5);
      if (bar >= BAR_MIN) {
        int done = (int) (bar * committed / total);
        return "%s [%s%s] %s".formatted(percent, "=".repeat(done), " ".repeat(bar - done), tail);
      }
    }
    return cut(percent + " " + tasks, columns - 1);
  }

  private static String cut(String line, int columns) {
    return line.substring(0, Math.max(0, Math.min(columns, line.length())));
  }
}
