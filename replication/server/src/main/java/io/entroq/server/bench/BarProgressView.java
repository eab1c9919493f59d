package io.entroq.server.bench;

import io.entroq.load.LoadListener;
import io.entroq.load.ProgressSample;
import io.entroq.tools.terminal.StatusBar;
import io.entroq.tools.terminal.WaitBar;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A progress bar on a terminal. */
final class BarProgressView implements LoadListener {
  private final long totalMs;
  private Runnable close = () -> {};
  private WaitBar loading;
  private WaitBar checking;
  private StatusBar running;

  /**
   * @param total duration of the run, including its warm-up
   */
  BarProgressView(Duration total) {
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
  public void running(ProgressSample sample) {
    if (running == null) {
      close.run();
      running = new StatusBar(totalMs);
      close = running::close;
    }
    running.at(TimeUnit.NANOSECONDS.toMillis(sample.elapsedNs()), ProgressText.of(sample));
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
}
