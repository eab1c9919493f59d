package io.entroq.tools.terminal;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/**
 * A line on standard error that is updated in place: progress in percent and a status text. Not
 * thread-safe.
 */
public final class StatusBar implements AutoCloseable {
  private static final int REDRAW_MS = 250;

  private final long total;
  private final ProgressBar bar;

  /**
   * Starts drawing.
   *
   * @param total the total amount, above 0, in any unit
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

  /** Shows progress, capped at the total, and a status text. */
  public void at(long done, String status) {
    bar.setExtraMessage(status);
    bar.stepTo(Math.min(total, done));
  }

  @Override
  public void close() {
    bar.close();
  }

  /** Leaves the last column free, because some terminals wrap after it. */
  private static String render(ProgressState state, int columns) {
    long percent = 100 * state.getCurrent() / state.getMax();
    String line = "%3d %%  %s".formatted(percent, state.getExtraMessage());
    return line.substring(0, Math.max(0, Math.min(columns - 1, line.length())));
  }
}
