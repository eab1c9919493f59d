package io.entroq.perf.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/** A table of latencies. Each row is a figure of the report, too. */
public final class LatencyTable {
  /** The longest latency that {@link #histogram} can record. */
  public static final long NS_MAX = TimeUnit.MINUTES.toNanos(2);

  private static final double NS_PER_US = 1e3;
  private static final double NS_PER_MS = 1e6;

  private final Report report;
  private final String unit;
  private final double nsPerUnit;
  private final Table table;

  private LatencyTable(Report report, String unit, double nsPerUnit) {
    this.report = report;
    this.unit = unit;
    this.nsPerUnit = nsPerUnit;
    table = new Table(unit, "count", "least", "p50", "p99", "p99.9", "longest");
  }

  public static LatencyTable inMicros(Report report) {
    return new LatencyTable(report, "us", NS_PER_US);
  }

  public static LatencyTable inMillis(Report report) {
    return new LatencyTable(report, "ms", NS_PER_MS);
  }

  /** An empty histogram of nanoseconds, with three digits. */
  public static Histogram histogram() {
    return new Histogram(NS_MAX, 3);
  }

  /** A percentile in microseconds. */
  public static double us(AbstractHistogram ns, double percentile) {
    return ns.getValueAtPercentile(percentile) / NS_PER_US;
  }

  public LatencyTable add(String name, Histogram ns) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("count", ns.getTotalCount());
    figures.put("min", ns.getMinValue() / nsPerUnit);
    figures.put("p50", ns.getValueAtPercentile(50) / nsPerUnit);
    figures.put("p99", ns.getValueAtPercentile(99) / nsPerUnit);
    figures.put("p99.9", ns.getValueAtPercentile(99.9) / nsPerUnit);
    figures.put("max", ns.getMaxValue() / nsPerUnit);
    table.row(
        name,
        figures.get("count"),
        figures.get("min"),
        figures.get("p50"),
        figures.get("p99"),
        figures.get("p99.9"),
        figures.get("max"));
    report.figure(name + ", " + unit, figures);
    return this;
  }

  public void print() {
    table.print();
  }
}
