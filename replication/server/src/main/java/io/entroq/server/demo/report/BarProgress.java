package io.entroq.server.demo.report;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on a terminal; what the stages say beside would leave no room for it. */
final class BarProgress implements Progress {
  private final ProgressBar bar;

  BarProgress(long total) {
    bar =
        new ProgressBarBuilder()
            .setTaskName("counting")
            .setInitialMax(total)
            .setUnit(" tasks", 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(100)
            .setConsumer(new ConsoleProgressBarConsumer(System.err))
            .build();
  }

  @Override
  public void show(long committed, long total, String stages) {
    bar.maxHint(total);
    bar.stepTo(committed);
  }

  @Override
  public void close() {
    bar.close();
  }
}
