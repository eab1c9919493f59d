package io.entroq.server.cli;

import io.entroq.engine.backup.Backup;
import io.entroq.engine.backup.BackupManifest;
import io.entroq.engine.log.Forcer;
import io.entroq.server.log.BackupJson;
import io.entroq.server.log.CopyProgress;
import io.entroq.server.log.JsonLines;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code backup} command: see {@link Backup}. */
@Command(
    name = "backup",
    header = "Copies a data directory, beside a running engine if need be.",
    description = {
      "",
      "Copies the newest good snapshot and the log behind it, up to the last record that is whole at"
          + " that moment, loads and replays the copy, and writes backup.json, which says what the"
          + " backup holds. Without that file it is no backup. Replaying takes as much memory as the"
          + " engine.",
      "",
      "Prints a JSON object with the sequence of the last record and the digests of the state, which"
          + " `entroq log verify` prints too. No data in DIR is changed; a running engine keeps its"
          + " log meanwhile.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq backup data /backups/monday",
      "  entroq restore /backups/monday data2       put it back",
      "",
      "Exit status: 0 if there is a backup; 1 if there is none; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The data directory.")
  private Path source;

  @Parameters(
      index = "1",
      paramLabel = "DEST",
      description = "Where the backup will be. Must not exist, or be empty.")
  private Path target;

  @Mixin private DurabilityOption durability;

  @Override
  public Integer call() {
    try (CopyProgress progress = new CopyProgress();
        JsonLines lines = new JsonLines(spec.commandLine().getOut())) {
      BackupManifest manifest =
          new Backup(source, target, durability.policy(), Forcer.DISK, progress).run();
      progress.finish();
      BackupJson.print(lines, "backup", target, manifest);
      return 0;
    }
  }
}
