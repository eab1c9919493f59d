package io.entroq.server.bench.report;

import io.entroq.server.bench.BenchView;
import io.entroq.server.bench.Sample;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** A line now and then, for a file or a pipe. */
final class LineView implements BenchView {
  private final PrintWriter err;
  private String phase = "";
  private long nextNs;

  LineView(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void loading(long tasks, long total) {
    count("tasks of the backlog inserted", tasks, total);
  }

  @Override
  public void running(Sample sample) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(sample.elapsedNs());
    err.printf("%4d s: %s%n", seconds, SampleText.of(sample));
    err.flush();
  }

  @Override
  public void checking(long tasks, long total) {
    count("remaining tasks looked at", tasks, total);
  }

  private void count(String what, long tasks, long total) {
    long nowNs = System.nanoTime();
    if (!phase.equals(what)) {
      phase = what;
      nextNs = nowNs + interval().toNanos();
    }
    if (nowNs - nextNs >= 0) {
      nextNs = nowNs + interval().toNanos();
      err.printf("%,d of %,d %s%n", tasks, total, what);
      err.flush();
    }
  }
}
