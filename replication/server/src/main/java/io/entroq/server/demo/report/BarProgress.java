package io.entroq.server.demo.report;

import io.entroq.tools.terminal.BarOutput;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/** A bar on a terminal. It shows one stage, as a line has no space for all of them. */
final class BarProgress implements Progress {
  private final ProgressBar bar;

  BarProgress(long total) {
    bar =
        new ProgressBarBuilder()
            .setInitialMax(total)
            .setRenderer(BarProgress::render)
            .setUpdateIntervalMillis(100)
            .setConsumer(BarOutput.open())
            .build();
  }

  private static String render(ProgressState state, int columns) {
    return BarLine.of(state.getCurrent(), state.getMax(), state.getExtraMessage(), columns);
  }

  @Override
  public void show(long committed, long total, String phase, String stages) {
    bar.maxHint(total);
    bar.stepTo(committed);
    bar.setExtraMessage(phase);
  }

  @Override
  public void close() {
    bar.close();
  }
}
