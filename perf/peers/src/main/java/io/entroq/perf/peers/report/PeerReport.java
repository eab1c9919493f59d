package io.entroq.perf.peers.report;

import io.entroq.load.Machine;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.run.Measured;
import io.entroq.perf.peers.run.Plan;
import io.entroq.perf.peers.run.Result;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The report of a run: a table for each durability class, remarks, and settings. */
public final class PeerReport {
  private final Plan plan;
  private final List<Peer> chosen;
  private final String machine = Machine.here().line();

  /**
   * Records the machine as it is before the run.
   *
   * @param chosen the requested peers, including absent ones
   */
  public PeerReport(Plan plan, List<Peer> chosen) {
    this.plan = plan;
    this.chosen = chosen;
  }

  /** Writes everything to files in a directory. */
  public void write(List<Result> results, Map<String, String> versions, Path directory)
      throws IOException {
    List<Summary> summaries = Summary.of(results);
    String name = plan.replicas() == 1 ? "peers" : "peers-" + plan.replicas();
    Csv.writeRounds(results, directory.resolve(name + "-rounds.csv"));
    Csv.writeSummaries(summaries, directory.resolve(name + ".csv"));
    Files.writeString(directory.resolve(name + ".md"), markdown(results, versions));
    for (DurabilityClass durability : plan.durabilities()) {
      List<Summary> ofClass = summaries.stream().filter(s -> s.durability() == durability).toList();
      PeerPlot plot = new PeerPlot(heading(durability), ofClass);
      plot.drawThroughput(directory.resolve(name + "-" + durability + ".svg"));
      plot.drawLatency(directory.resolve(name + "-" + durability + "-latency.svg"));
    }
  }

  /** The run as Markdown. */
  public String markdown(List<Result> results, Map<String, String> versions) {
    List<Summary> summaries = Summary.of(results);
    StringBuilder out = new StringBuilder("# Peers side by side" + copies() + "\n\n");
    out.append(introduction());
    for (DurabilityClass durability : plan.durabilities()) {
      List<Summary> ofClass = summaries.stream().filter(s -> s.durability() == durability).toList();
      out.append("\n## %s: %s\n\n".formatted(durability, durability.promise()));
      out.append(figures(durability, ofClass).markdown());
      remarks(durability, ofClass).forEach(remark -> out.append("\n").append(remark).append("\n"));
    }
    out.append("\n## Settings\n\n").append(settings(versions));
    return out.toString();
  }

  private String introduction() {
    return String.format(
        Locale.ROOT,
        "A cycle is insert, claim and commit of a value of 128 bytes. Rounds: %d, %.1f s each after"
            + " %.1f s of warm-up; minimum / median / maximum of the rounds, of latencies the"
            + " medians.%s%n%nOn %s.%n",
        plan.rounds(),
        seconds(plan.timing().measured()),
        seconds(plan.timing().warmUp()),
        plan.replicas() == 1
            ? ""
            : " All nodes of a peer and its callers share the processors of one machine.",
        machine);
  }

  private String copies() {
    return plan.replicas() == 1 ? "" : ", %d copies of each task".formatted(plan.replicas());
  }

  private String heading(DurabilityClass durability) {
    return "Class %s (%s)%s".formatted(durability, durability.promise(), copies());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  private Table figures(DurabilityClass durability, List<Summary> summaries) {
    List<String> headings = new ArrayList<>(List.of("peer"));
    for (Shape shape : plan.shapes()) {
      headings.add(shape.title() + ": tasks/s");
      if (shape.isSynchronous()) {
        headings.add("cycle p50 / p99, µs");
      }
    }
    Table table = new Table(headings.toArray(String[]::new));
    for (Peer peer : plan.peersOf(durability)) {
      table.row(row(peer, summaries).toArray());
    }
    return table;
  }

  private List<Object> row(Peer peer, List<Summary> summaries) {
    List<Object> cells = new ArrayList<>(List.of(peer.name()));
    for (Shape shape : plan.shapes()) {
      Optional<Summary> summary =
          summaries.stream()
              .filter(s -> s.peer().equals(peer.name()) && s.shape().equals(shape))
              .findFirst();
      cells.add(
          summary
              .flatMap(s -> s.spread(Measured::tasksPerSecond))
              .map(this::rates)
              .orElse("failed"));
      if (shape.isSynchronous()) {
        cells.add(summary.map(this::latencies).orElse("-"));
      }
    }
    return cells;
  }

  private String rates(Spread spread) {
    return String.format(
        Locale.ROOT, "%,.0f / %,.0f / %,.0f", spread.least(), spread.median(), spread.greatest());
  }

  private String latencies(Summary summary) {
    if (summary.measured().isEmpty()) {
      return "-";
    }
    return String.format(
        Locale.ROOT,
        "%,.0f / %,.0f",
        summary.spread(Measured::p50Us).orElseThrow().median(),
        summary.spread(Measured::p99Us).orElseThrow().median());
  }

  private List<String> remarks(DurabilityClass durability, List<Summary> summaries) {
    List<String> remarks = new ArrayList<>();
    summaries.stream()
        .filter(summary -> !summary.remark().isEmpty())
        .forEach(s -> remarks.add(s.peer() + ", " + s.shape().title() + ": " + s.remark() + "."));
    for (Peer peer : chosen) {
      if (peer.absence().isPresent()) {
        remarks.add(peer.name() + ": not measured, " + peer.absence().get() + ".");
      } else if (!peer.durabilities().contains(durability)) {
        remarks.add(peer.name() + ": has no such class.");
      }
    }
    return remarks;
  }

  /** A table without padding, since its cells are long. */
  private String settings(Map<String, String> versions) {
    StringBuilder out = new StringBuilder();
    append(out, "peer", "class", "what an acknowledgement means", "server", "client", "cycle");
    append(out, "---", "---", "---", "---", "---", "---");
    for (Peer peer : plan.peers()) {
      for (DurabilityClass durability : plan.durabilities()) {
        if (peer.durabilities().contains(durability)) {
          Settings settings = peer.settings(durability);
          append(
              out,
              (peer.name() + " " + versions.getOrDefault(peer.name(), "")).strip(),
              durability.toString(),
              settings.promise(),
              Settings.text(settings.server()),
              Settings.text(settings.client()),
              settings.steps());
        }
      }
    }
    return out.toString();
  }

  private static void append(StringBuilder out, String... cells) {
    out.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
