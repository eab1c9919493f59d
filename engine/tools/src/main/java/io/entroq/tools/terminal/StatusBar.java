package io.entroq.tools.terminal;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/**
 * A line on the error output that changes in its place: how much is done, in percent, and how it
 * stands in words. For one thread.
 */
public final class StatusBar implements AutoCloseable {
  private static final int REDRAW_MS = 250;

  private final long total;
  private final ProgressBar bar;

  /**
   * Begins to draw it.
   *
   * @param total what all comes to, above 0, in any unit
   */
  public StatusBar(long total) {
    this.total = total;
    this.bar =
        new ProgressBarBuilder()
            .setInitialMax(total)
            .setRenderer(StatusBar::render)
            .setUpdateIntervalMillis(REDRAW_MS)
            .setConsumer(BarOutput.open())
            .build();
  }

  /** So much is done, in the unit of the total; what is more counts as all. */
  public void at(long done, String words) {
    bar.setExtraMessage(words);
    bar.stepTo(Math.min(total, done));
  }

  @Override
  public void close() {
    bar.close();
  }

  /** The last column stays free, as some terminals fold behind it. */
  private static String render(ProgressState state, int columns) {
    long percent = 100 * state.getCurrent() / state.getMax();
    String line = "%3d %%  %s".formatted(percent, state.getExtraMessage());
    return line.substring(0, Math.max(0, Math.min(columns - 1, line.length())));
  }
}
