package io.entroq.perf.peers;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.run.Measured;
import io.entroq.perf.peers.run.Progress;
import io.entroq.perf.peers.run.Result;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Prints the progress of a run line by line, with an estimate of the remaining time. */
final class ProgressLines implements Progress {
  private final PrintStream out;
  private final int measurements;
  private final long startNs = System.nanoTime();
  private int done;

  ProgressLines(PrintStream out, int measurements) {
    this.out = out;
    this.measurements = measurements;
  }

  @Override
  public void turn(String peer, DurabilityClass durability, int round) {
    out.printf(
        Locale.ROOT,
        "%tT round %d, %s: %s (%d of %d done%s)%n",
        System.currentTimeMillis(),
        round,
        durability,
        peer,
        done,
        measurements,
        timeLeft());
  }

  private String timeLeft() {
    if (done == 0) {
      return "";
    }
    long leftNs = (System.nanoTime() - startNs) / done * (measurements - done);
    long seconds = Duration.ofNanos(leftNs).toSeconds();
    return String.format(Locale.ROOT, ", about %d:%02d left", seconds / 60, seconds % 60);
  }

  @Override
  public void result(Result result) {
    done++;
    out.printf(
        Locale.ROOT,
        "    %-20s %s%n",
        result.shape().title(),
        result.measured().map(ProgressLines::line).orElse("failed: " + result.failure()));
  }

  private static String line(Measured measured) {
    String line =
        String.format(
            Locale.ROOT,
            "%,12.0f tasks/s, cycle p50 %,.1f us, p99 %,.1f us",
            measured.tasksPerSecond(),
            measured.p50Us(),
            measured.p99Us());
    return measured.balance().isRight() ? line : line + "; " + measured.balance();
  }
}
