package io.entroq.perf.engine;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.DirectMemory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the memory of a pending task beyond its value while a backlog grows. Arrays grow in
 * steps, so it measures at many sizes and reports the extremes.
 */
@Command(
    name = "BytesPerTask",
    description = "Measures the memory outside the heap of a pending task, beyond its value.")
public final class BytesPerTask extends BenchmarkCommand {
  @Option(
      names = "--tasks",
      split = ",",
      description = "Sizes of the backlog to report, ascending (${DEFAULT-VALUE}).")
  private List<Long> sizes = List.of(1_000_000L, 10_000_000L);

  @Option(names = "--step", description = "Tasks between two measurements (${DEFAULT-VALUE}).")
  private long step = 20_000;

  @Option(
      names = "--value-bytes",
      split = ",",
      description = "Lengths of values, each measured alone (${DEFAULT-VALUE}).")
  private List<Integer> valueBytes = List.of(0, 32, 100, 250);

  private BytesPerTask() {}

  public static void main(String[] args) {
    run(new BytesPerTask(), args);
  }

  @Override
  protected void measure(Report report) {
    Table table =
        new Table(
            "pending", "value", "bytes beyond it", "by the JVM", "least so far", "greatest so far");
    List<Map<String, Object>> figures = new ArrayList<>();
    for (int bytes : valueBytes) {
      measure(bytes, table, figures);
    }
    table.print();
    report.figure("sizes", figures);
  }

  private void measure(int bytes, Table table, List<Map<String, Object>> figures) {
    long othersDirectBytes = DirectMemory.bytes();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build())) {
      GrowingBacklog backlog = new GrowingBacklog(queue, bytes, othersDirectBytes, sizes.get(0));
      long tasks = 0;
      for (long size : sizes) {
        Report.note("growing to %,d tasks of %,d bytes", size, bytes);
        for (tasks += step; tasks < size; tasks += step) {
          backlog.growTo(tasks);
        }
        tasks = size;
        double beyond = backlog.growTo(size);
        double direct = backlog.directBeyond(size);
        table.row(size, bytes, beyond, direct, backlog.least(), backlog.greatest());
        figures.add(figures(size, bytes, beyond, direct, backlog));
      }
    }
  }

  private static Map<String, Object> figures(
      long size, int bytes, double beyond, double direct, GrowingBacklog backlog) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("tasks", size);
    figures.put("valueBytes", bytes);
    figures.put("bytesBeyond", beyond);
    figures.put("bytesBeyondByJvm", direct);
    figures.put("least", backlog.least());
    figures.put("leastAt", backlog.leastAt());
    figures.put("greatest", backlog.greatest());
    figures.put("greatestAt", backlog.greatestAt());
    return figures;
  }
}
