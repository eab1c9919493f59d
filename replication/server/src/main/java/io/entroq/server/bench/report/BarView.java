package io.entroq.server.bench.report;

import io.entroq.server.bench.BenchView;
import io.entroq.server.bench.Sample;
import io.entroq.server.terminal.BarOutput;
import io.entroq.server.terminal.WaitBar;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/** A line on a terminal that changes in its place. */
final class BarView implements BenchView {
  private static final int REDRAW_MS = 250;

  private final long totalMs;
  private Runnable close = () -> {};
  private WaitBar loading;
  private WaitBar checking;
  private ProgressBar running;

  /**
   * @param total how long the run is, its warm-up included
   */
  BarView(Duration total) {
    totalMs = total.toMillis();
  }

  @Override
  public Duration interval() {
    return Duration.ofMillis(500);
  }

  @Override
  public void loading(long tasks, long total) {
    if (loading == null) {
      loading = WaitBar.ofItems("backlog", total, "tasks", true);
      close = loading::close;
    }
    loading.at(tasks);
  }

  @Override
  public void running(Sample sample) {
    if (running == null) {
      close.run();
      running = bar();
      close = running::close;
    }
    running.setExtraMessage(SampleText.of(sample));
    running.stepTo(Math.min(totalMs, TimeUnit.NANOSECONDS.toMillis(sample.elapsedNs())));
  }

  @Override
  public void checking(long tasks, long total) {
    if (checking == null) {
      close.run();
      checking = WaitBar.ofItems("checking", total, "tasks", true);
      close = checking::close;
    }
    checking.at(tasks);
  }

  @Override
  public void end() {
    close.run();
  }

  private ProgressBar bar() {
    return new ProgressBarBuilder()
        .setInitialMax(totalMs)
        .setRenderer(BarView::render)
        .setUpdateIntervalMillis(REDRAW_MS)
        .setConsumer(BarOutput.open())
        .build();
  }

  /** The last column stays free, as some terminals fold behind it. */
  private static String render(ProgressState state, int columns) {
    long percent = 100 * state.getCurrent() / state.getMax();
    String line = "%3d %%  %s".formatted(percent, state.getExtraMessage());
    return line.substring(0, Math.max(0, Math.min(columns - 1, line.length())));
  }
}
