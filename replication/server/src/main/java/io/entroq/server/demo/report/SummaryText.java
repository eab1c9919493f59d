package io.entroq.server.demo.report;

import io.entroq.api.Durability;
import io.entroq.examples.mapreduce.Job;
import io.entroq.examples.mapreduce.Stage;
import io.entroq.tools.terminal.Quantity;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A summary as readable text. */
public final class SummaryText {
  private static final int COLUMNS = 80;
  private static final int REMARK_COLUMN = 33;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT);

  private final StringBuilder text = new StringBuilder();

  private SummaryText() {}

  public static String of(Summary summary, LogSize log) {
    SummaryText page = new SummaryText();
    page.text.append("%nWord count of %s%n%n".formatted(summary.job().root()));
    page.input(summary);
    page.tasks(summary);
    page.run(summary, log);
    page.text.append(String.format("%n%s%n", verdict(summary)));
    return page.text.toString();
  }

  private void input(Summary summary) {
    Job job = summary.job();
    line(
        "files",
        number(job.files()),
        ("text files, each split into map tasks (none for an empty file); not counted: %,d"
                + " binary and %,d unreadable")
            .formatted(job.binaryFiles(), job.unreadableFiles()));
    line("bytes", number(job.bytes()), "");
    line("words", number(summary.words()), "");
    line("distinct words", number(summary.distinctWords()), "");
    for (Map.Entry<String, Long> word : summary.top()) {
      // Not wrapped, as it is a single word of any length.
      text.append("  %-16s %12s  %s%n".formatted("", number(word.getValue()), word.getKey()));
    }
  }

  private void tasks(Summary summary) {
    RunFigures run = summary.run();
    boolean hasEarlierRuns = summary.hasEarlierRuns();
    text.append(System.lineSeparator());
    line("tasks committed", number(summary.audit().committed()), stages(summary.job()));
    line(
        "redeliveries",
        number(summary.audit().redeliveries()),
        "claims of a task after its first, including retries of poison tasks%s %s crashed, %,d hung"
            .formatted(
                hasEarlierRuns ? ", in all runs; in the last run" : ";",
                Quantity.of(run.crashes(), "worker"),
                run.hangs()));
    line(
        "late commits",
        number(run.lateCommitsRefused()),
        "attempted by workers that hung%s, and refused"
            .formatted(hasEarlierRuns ? " in the last run" : ""));
    line("quarantined", number(summary.audit().quarantined()), poisoned(summary.job()));
    line("lost", number(summary.audit().lost()), "tasks without a marker; every commit leaves one");
    line(
        "committed twice",
        number(summary.audit().committedTwice()),
        "tasks with more than one marker");
  }

  private void run(Summary summary, LogSize log) {
    RunFigures run = summary.run();
    text.append(System.lineSeparator());
    line("cycles/s", number(run.cyclesPerSecond()), cycles(summary));
    line(
        "elapsed",
        "%.1f s".formatted(run.elapsedMs() / 1000.0),
        "in the last run, without the scan and the check");
    line(
        "durability", run.durability().name().toLowerCase(Locale.ROOT), survives(run.durability()));
    line("log size", bytes(log.bytes()), "in " + Quantity.of(log.records(), "record"));
    line("seed", Long.toString(run.seed()), "");
  }

  private static String poisoned(Job job) {
    return Quantity.of(job.poison(), "poison task") + " inserted on purpose";
  }

  private static String cycles(Summary summary) {
    RunFigures run = summary.run();
    String leaseWaits =
        run.crashes() + run.hangs() > 0
            ? ", including waits for the leases of workers that crashed or hung"
            : "";
    return "%s with their commits by %s%s%s; see perf/README.md for the engine's throughput"
        .formatted(
            Quantity.of(run.committed(), "claim"),
            Quantity.of(run.workers(), "worker"),
            summary.hasEarlierRuns() ? " in the last run" : "",
            leaseWaits);
  }

  /** Appends a name, a value and a remark, wrapped at {@link #COLUMNS}. */
  private void line(String name, String value, String remark) {
    StringBuilder line = new StringBuilder("  %-16s %12s ".formatted(name, value));
    for (String word : remark.split(" ", -1)) {
      if (line.length() + 1 + word.length() > COLUMNS) {
        append(line);
        line.append(" ".repeat(REMARK_COLUMN - 1));
      }
      line.append(' ').append(word);
    }
    append(line);
  }

  private void append(StringBuilder line) {
    text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    line.setLength(0);
  }

  private static String stages(Job job) {
    return Arrays.stream(Stage.values())
        .map(stage -> "%s %,d".formatted(stage.label(), job.tasks(stage)))
        .collect(Collectors.joining(", "));
  }

  private static String survives(Durability durability) {
    return switch (durability) {
      case NONE -> "a reply means applied: nothing is guaranteed to survive";
      case OS -> "a reply means in the page cache: survives a process crash and kill -9";
      case DISK -> "a reply means forced to disk: survives a power loss";
    };
  }

  private static String verdict(Summary summary) {
    if (!summary.isEqual()) {
      return "WRONG: the result differs from a direct count of the same files.";
    }
    if (!summary.isRight()) {
      return "WRONG: the result equals a direct count, but tasks were lost or committed twice.";
    }
    if (!summary.hasInput()) {
      return "There was nothing to count: no text below the directory.";
    }
    return summary.isRepeated()
        ? "The result was right when the run finished at %s. It was not compared again."
            .formatted(time(summary.comparedAt()))
        : "Right: the result equals a direct count of the same files.";
  }

  private static String time(Instant instant) {
    return TIME.format(instant.atZone(ZoneId.systemDefault()));
  }

  private static String number(long number) {
    return "%,d".formatted(number);
  }

  private static String bytes(long bytes) {
    return bytes < 1 << 20
        ? "%.1f KiB".formatted(bytes / 1024.0)
        : "%.1f MiB".formatted(bytes / (1024.0 * 1024));
  }
}
