package io.entroq.server.demo.report;

/** What a bar on a terminal says, in as many columns as there are. */
final class BarLine {
  private static final int BAR_LEAST = 10;
  private static final int BAR_MOST = 40;

  private BarLine() {}

  /**
   * A line: percentage, bar, tasks and phase. Where it is narrow, words go first, then the phase,
   * then the bar.
   *
   * @param columns how many there are; the last one stays free, as some terminals fold behind it
   */
  static String of(long committed, long total, String phase, int columns) {
    String percent = "%3d %%".formatted(100 * committed / total);
    String most = "%,d".formatted(total);
    String tasks = "%%%ds/%%s".formatted(most.length()).formatted("%,d".formatted(committed), most);
    String[] tails = {tasks + " tasks, " + phase, tasks + " " + phase, tasks};
    for (String tail : tails) {
      // Two blanks and two brackets besides, and the column that stays free.
      int bar = Math.min(BAR_MOST, columns - percent.length() - tail.length() - 5);
      if (bar >= BAR_LEAST) {
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
