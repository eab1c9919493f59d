package io.entroq.server.demo.report;

import io.entroq.api.Durability;
import io.entroq.server.demo.job.Job;
import io.entroq.server.demo.job.Stage;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A summary for people. */
public final class SummaryText {
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
    page.run(summary.run(), log);
    page.text.append(String.format("%n%s%n", verdict(summary)));
    return page.text.toString();
  }

  private void input(Summary summary) {
    Job job = summary.job();
    line(
        "files",
        number(job.files()),
        "besides %,d binary and %,d unreadable ones"
            .formatted(job.binaryFiles(), job.unreadableFiles()));
    line("bytes", number(job.bytes()), "");
    line("words", number(summary.words()), "");
    line("distinct words", number(summary.distinctWords()), "");
    for (Map.Entry<String, Long> word : summary.top()) {
      line("", number(word.getValue()), word.getKey());
    }
  }

  private void tasks(Summary summary) {
    RunFigures run = summary.run();
    text.append(System.lineSeparator());
    line("tasks committed", number(summary.audit().committed()), stages(summary.job()));
    line(
        "redeliveries",
        number(summary.audit().redeliveries()),
        "claims beyond the first; in the last run %,d workers crashed, %,d hung"
            .formatted(run.crashes(), run.hangs()));
    line(
        "late commits",
        number(run.lateCommitsRefused()),
        "tried by workers that hung, and refused");
    line(
        "quarantined",
        number(summary.audit().quarantined()),
        "%,d were poisoned on purpose".formatted(summary.job().poison()));
    line("lost", number(summary.audit().lost()), "");
    line("committed twice", number(summary.audit().committedTwice()), "");
  }

  private void run(RunFigures run, LogSize log) {
    text.append(System.lineSeparator());
    line(
        "cycles/s",
        number(run.cyclesPerSecond()),
        "%,d claims with their commits by %,d workers, waits for the leases of dead ones included"
            .formatted(run.committed(), run.workers()));
    line(
        "elapsed",
        "%.1f s".formatted(run.elapsedMs() / 1000.0),
        "in the last run, without scan and check");
    line(
        "durability", run.durability().name().toLowerCase(Locale.ROOT), survives(run.durability()));
    line("log size", bytes(log.bytes()), "in %,d records".formatted(log.records()));
    line("seed", Long.toString(run.seed()), "");
  }

  private void line(String name, String value, String remark) {
    text.append("  %-16s %12s  %s".formatted(name, value, remark).stripTrailing())
        .append(System.lineSeparator());
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
    return summary.isRight()
        ? "Right: the result equals a direct count of the same files."
        : "WRONG: the result equals a direct count, but tasks were lost or committed twice.";
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
