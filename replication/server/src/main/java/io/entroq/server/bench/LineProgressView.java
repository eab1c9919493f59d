package io.entroq.server.bench;

import io.entroq.load.LoadListener;
import io.entroq.load.ProgressSample;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A line after one second, then every five seconds, for a file or a pipe. */
final class LineProgressView implements LoadListener {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LATER = Duration.ofSeconds(5);

  private final PrintWriter err;
  private String phase = "";
  private long nextNs;
  private boolean hasBegun;

  LineProgressView(PrintWriter err) {
    this.err = err;
  }

  @Override
  public Duration interval() {
    return hasBegun ? LATER : FIRST;
  }

  @Override
  public void loading(long tasks, long total) {
    count("backlog tasks inserted", tasks, total);
  }

  @Override
  public void running(ProgressSample sample) {
    hasBegun = true;
    long seconds = TimeUnit.NANOSECONDS.toSeconds(sample.elapsedNs());
    err.printf("%4d s: %s%n", seconds, ProgressText.of(sample));
    err.flush();
  }

  @Override
  public void checking(long tasks, long total) {
    count("remaining tasks checked", tasks, total);
  }

  private void count(String what, long tasks, long total) {
    long nowNs = System.nanoTime();
    if (!phase.equals(what)) {
      phase = what;
      nextNs = nowNs + FIRST.toNanos();
    }
    if (nowNs - nextNs >= 0) {
      nextNs = nowNs + LATER.toNanos();
      err.printf("%,d of %,d %s%n", tasks, total, what);
      err.flush();
    }
  }
}
