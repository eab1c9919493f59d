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

/** A summary for people. */
public final class SummaryText {
  private static final int COLUMNS = 80;
  private static final int REMARK_COLUMN = 33;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT);

  private final StringBuilder text = new StringBuilder();

  private SummaryText() {}

  /**
   * The summary as lines.
   *
   * @param log what the log holds
   */
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
        ("text files; the parts of a file are map tasks, so an empty one has none. Besides, %,d"
                + " binary and %,d unreadable")
            .formatted(job.binaryFiles(), job.unreadableFiles()));
    line("bytes", number(job.bytes()), "");
    line("words", number(summary.words()), "");
    line("distinct words", number(summary.distinctWords()), "");
    for (Map.Entry<String, Long> word : summary.top()) {
      // Never folded: a word is one, however long it is.
      text.append("  %-16s %12s  %s%n".formatted("", number(word.getValue()), word.getKey()));
    }
  }

  private void tasks(Summary summary) {
    RunFigures run = summary.run();
    boolean isOfSeveral = summary.isOfSeveralRuns();
    text.append(System.lineSeparator());
    line("tasks committed", number(summary.audit().committed()), stages(summary.job()));
    line(
        "redeliveries",
        number(summary.audit().redeliveries()),
        "claims of a task beyond its first, retries of poisoned tasks included%s %s crashed, %,d hung"
            .formatted(
                isOfSeveral ? ", in all runs; in the last run" : ";",
                Quantity.of(run.crashes(), "worker"),
                run.hangs()));
    line(
        "late commits",
        number(run.lateCommitsRefused()),
        "tried by workers that hung%s, and refused"
            .formatted(isOfSeveral ? " in the last run" : ""));
    line("quarantined", number(summary.audit().quarantined()), poisoned(summary.job()));
    line("lost", number(summary.audit().lost()), "tasks without a marker; every commit leaves one");
    line(
        "committed twice",
        number(summary.audit().committedTwice()),
        "tasks with two markers or more; one is right");
  }

  private void run(Summary summary, LogSize log) {
    RunFigures run = summary.run();
    text.append(System.lineSeparator());
    line("cycles/s", number(run.cyclesPerSecond()), cycles(summary));
    line(
        "elapsed",
        "%.1f s".formatted(run.elapsedMs() / 1000.0),
        "in the last run, without scan and check");
    line(
        "durability", run.durability().name().toLowerCase(Locale.ROOT), survives(run.durability()));
    line("log size", bytes(log.bytes()), "in " + Quantity.of(log.records(), "record"));
    line("seed", Long.toString(run.seed()), "");
  }

  private static String poisoned(Job job) {
    return "%,d %s poisoned on purpose".formatted(job.poison(), job.poison() == 1 ? "was" : "were");
  }

  private static String cycles(Summary summary) {
    RunFigures run = summary.run();
    String waits =
        run.crashes() + run.hangs() > 0
            ? ", waits for the leases of workers killed on purpose included"
            : "";
    return "%s with their commits by %s%s%s; see perf/README.md for what the engine does"
        .formatted(
            Quantity.of(run.committed(), "claim"),
            Quantity.of(run.workers(), "worker"),
            summary.isOfSeveralRuns() ? " in the last run" : "",
            waits);
  }

  /** A name, a value and a remark that is folded at the width of a terminal. */
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
      case NONE -> "a reply means applied: nothing is promised to survive";
      case OS -> "a reply means in the page cache: survives a crash of the process and kill -9";
      case DISK -> "a reply means forced to the disk: survives loss of power";
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
      return "There was nothing to count: no text below this directory.";
    }
    return summary.isRepeated()
        ? "The result of the finished run: it was right when it ended at %s, and is not compared again."
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
