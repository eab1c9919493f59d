package io.entroq.server.cli.log;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.recovery.LogRepair;
import io.entroq.engine.recovery.RepairPlan;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.server.cli.queue.options.ConfirmOption;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code log repair} command: see {@link LogRepair}. */
@Command(
    name = "repair",
    header = "Cut a damaged log at a record and discard what follows.",
    description = {
      "",
      "An engine refuses a log that has lost records, and names the first of them. If there is no"
          + " backup, cut the log before that record so that the engine can continue. Everything"
          + " from that record on is lost, including acknowledged writes.",
      "",
      "What remains must start at the beginning of the log or at an intact snapshot. Snapshots"
          + " that include lost records are moved to DIR/snapshots-set-aside.",
      "",
      "No log file is changed or deleted; a new file marks the end of the log. No engine may be"
          + " using the directory. Without --yes, the command only says what would be lost.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log repair data --cut-at 731         say what would be lost",
      "  entroq log repair data --cut-at 731 --yes   end the log with record 730",
      "",
      "Exit status: 0 if the log was cut, or there is nothing to cut; 1 if it cannot be cut; 2 if"
          + " the command line is wrong or --yes is missing."
    },
    mixinStandardHelpOptions = true)
final class LogRepairCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Data directory.")
  private Path directory;

  @Option(
      names = "--cut-at",
      paramLabel = "SEQ",
      required = true,
      description = "First record to discard; at most the one after the last intact record.")
  private long sequence;

  @Mixin private ConfirmOption confirmation;

  @Override
  public Integer call() {
    // Check first: opening would create the directory.
    LogDirectory.read(directory);
    return confirmation.isConfirmed() ? repair() : preview();
  }

  private int preview() {
    LogRepair repair = new LogRepair(LogDirectory.read(directory), LogConfig.defaults());
    RepairPlan plan = repair.plan(sequence);
    explain(plan);
    if (plan.isIdle()) {
      return 0;
    }
    return confirmation.refuse(spec, "cut the log there");
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

  /** Prints what a cut would lose. */
  private void explain(RepairPlan plan) {
    if (plan.isIdle()) {
      printNote(
          "The log in %s is intact and ends with record %,d: nothing to cut."
              .formatted(directory, sequence - 1));
      return;
    }
    printNote(
        "A cut at %,d would end the log in %s with record %,d. Lost: %s."
            .formatted(sequence, directory, sequence - 1, loss(plan.report())));
    for (Snapshot snapshot : plan.ahead()) {
      printNote(
          "%s includes lost records. It is not deleted, but moved to %s."
              .formatted(snapshot.directory(), SnapshotDirectory.setAsidePlace(directory)));
    }
  }

  private String loss(ScanReport report) {
    long intact = Math.max(0, report.lastSequence() - sequence + 1);
    String intactRecords = "%,d intact %s".formatted(intact, intact == 1 ? "record" : "records");
    if (report.isDamaged()) {
      String damaged =
          "everything from the damage at record %,d on (%s)%s"
              .formatted(report.lastSequence() + 1, report.damage().what(), readable(report));
      return intact == 0 ? damaged : intactRecords + ", and " + damaged;
    }
    return report.isTorn()
        ? intactRecords + ", and the incomplete record after them"
        : intactRecords;
  }

  /** Intact records after the damage, which are lost too. */
  private static String readable(ScanReport report) {
    long records = report.damage().recordsBehind();
    return records == 0
        ? ""
        : ", including %,d intact %s, up to record %,d, that can still be read"
            .formatted(records, records == 1 ? "record" : "records", report.damage().lastBehind());
  }

  private void printNote(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }
}
