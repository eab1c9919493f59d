package io.entroq.perf.peers.report;

import io.entroq.perf.peers.run.Measured;
import io.entroq.perf.peers.run.Result;
import io.entroq.perf.report.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** A run as CSV files; missing figures are empty. */
final class Csv {
  private Csv() {}

  /** One line for each measurement. */
  static void writeRounds(List<Result> results, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        "class,peer,shape,round,tasks_per_second,p50_us,p99_us,inserted,committed,lost,doubled,"
            + "failure");
    for (Result result : results) {
      lines.add(
          "%s,%s,%s,%d,%s,%s"
              .formatted(
                  result.durability(),
                  result.peer(),
                  result.shape().name(),
                  result.round(),
                  result.measured().map(Csv::figures).orElse(",,,,,,"),
                  quoted(result.failure())));
    }
    Files.write(file, lines);
  }

  private static String figures(Measured measured) {
    return String.format(
        Locale.ROOT,
        "%.1f,%.1f,%.1f,%d,%d,%d,%d",
        measured.tasksPerSecond(),
        measured.p50Us(),
        measured.p99Us(),
        measured.balance().inserted(),
        measured.balance().deleted(),
        measured.balance().lost(),
        measured.balance().doubled());
  }

  /** One line for each peer, class and shape. */
  static void writeSummaries(List<Summary> summaries, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        "class,peer,shape,tasks_per_second_min,tasks_per_second_median,tasks_per_second_max,"
            + "p50_us_min,p50_us_median,p50_us_max,p99_us_min,p99_us_median,p99_us_max,remark");
    for (Summary summary : summaries) {
      lines.add(
          "%s,%s,%s,%s,%s,%s,%s"
              .formatted(
                  summary.durability(),
                  summary.peer(),
                  summary.shape().name(),
                  spread(summary, Measured::tasksPerSecond),
                  spread(summary, Measured::p50Us),
                  spread(summary, Measured::p99Us),
                  quoted(summary.remark())));
    }
    Files.write(file, lines);
  }

  private static String spread(Summary summary, ToDoubleFunction<Measured> figure) {
    Optional<Spread> spread = summary.spread(figure);
    return spread
        .map(s -> String.format(Locale.ROOT, "%.1f,%.1f,%.1f", s.least(), s.median(), s.greatest()))
        .orElse(",,");
  }

  private static String quoted(String text) {
    return text.isEmpty() ? "" : "\"" + text.replace("\"", "\"\"").replace("\n", " ") + "\"";
  }
}
