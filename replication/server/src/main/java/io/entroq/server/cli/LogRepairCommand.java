package io.entroq.server.cli;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.recovery.LogRepair;
import io.entroq.engine.recovery.RepairPlan;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code log repair} command: see {@link LogRepair}. */
@Command(
    name = "repair",
    header = "Ends a damaged log at a record, and so gives up what is behind it.",
    description = {
      "",
      "An engine refuses a log that has lost something, and names the record. If there is no backup,"
          + " this ends the log before that record, and the engine goes on from there: what was"
          + " written from that record on is lost, also what callers were told is done.",
      "",
      "What is kept must begin with the beginning of the log or with a good snapshot. Snapshots that"
          + " hold what is given up are moved to DIR/snapshots-set-aside.",
      "",
      "No file of the log is altered or deleted; a mark in a new one says where it ends. No engine"
          + " may use the directory meanwhile. Without --yes it only says what would be lost.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log repair data --cut-at 731         say what would be lost",
      "  entroq log repair data --cut-at 731 --yes   end the log with record 730",
      "",
      "Exit status: 0 if the log was cut, or has nothing to cut; 1 if it cannot be; 2 if the command"
          + " line is wrong or --yes is missing."
    },
    mixinStandardHelpOptions = true)
final class LogRepairCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The data directory.")
  private Path directory;

  @Option(
      names = "--cut-at",
      paramLabel = "SEQ",
      required = true,
      description = "The first record that is given up: at most the one after the last good one.")
  private long sequence;

  @Option(names = "--yes", description = "Do it.")
  private boolean isConfirmed;

  @Override
  public Integer call() {
    // Looks first, as opening would make what is not there.
    LogDirectory.read(directory);
    return isConfirmed ? repair() : preview();
  }

  private int preview() {
    LogRepair repair = new LogRepair(LogDirectory.read(directory), LogConfig.defaults());
    RepairPlan plan = repair.plan(sequence);
    explain(plan);
    if (plan.isIdle()) {
      return 0;
    }
    say("Nothing was changed. Give --yes to cut the log there.");
    return spec.exitCodeOnInvalidInput();
  }

  private int repair() {
    try (LogDirectory locked = LogDirectory.open(directory)) {
      LogRepair repair = new LogRepair(locked, LogConfig.defaults());
      RepairPlan plan = repair.plan(sequence);
      explain(plan);
      if (!plan.isIdle()) {
        repair.cutAt(sequence);
        spec.commandLine()
            .getOut()
            .printf("The log in %s now ends with record %,d.%n", directory, sequence - 1);
        spec.commandLine().getOut().flush();
      }
      return 0;
    }
  }

  /** Says what a cut gives up. */
  private void explain(RepairPlan plan) {
    if (plan.isIdle()) {
      say(
          "The log in %s is sound and ends with record %,d: nothing to cut."
              .formatted(directory, sequence - 1));
      return;
    }
    say(
        "Cut at %,d, the log in %s ends with record %,d. Lost: %s."
            .formatted(sequence, directory, sequence - 1, loss(plan.report())));
    for (Snapshot snapshot : plan.ahead()) {
      say(
          "%s holds records that are given up. It is not deleted, but moved to %s."
              .formatted(snapshot.directory(), SnapshotDirectory.setAsidePlace(directory)));
    }
  }

  private String loss(ScanReport report) {
    long good = Math.max(0, report.lastSequence() - sequence + 1);
    String goodOnes = "%,d good %s".formatted(good, good == 1 ? "record" : "records");
    if (report.isDamaged()) {
      String damaged =
          "all from the damage at record %,d on (%s)%s"
              .formatted(report.lastSequence() + 1, report.damage().what(), readable(report));
      return good == 0 ? damaged : goodOnes + ", and " + damaged;
    }
    return report.isTorn() ? goodOnes + ", and a torn record behind them" : goodOnes;
  }

  /** What lies behind the damage and is given up though nothing is wrong with it. */
  private static String readable(ScanReport report) {
    long records = report.damage().recordsBehind();
    return records == 0
        ? ""
        : ", of which %,d good %s, up to record %,d, can still be read"
            .formatted(records, records == 1 ? "record" : "records", report.damage().lastBehind());
  }

  private void say(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }
}
