package io.entroq.server.cli.log;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.engine.backup.BackupManifest;
import io.entroq.engine.backup.Restore;
import io.entroq.engine.log.Forcer;
import io.entroq.tools.log.BackupJson;
import io.entroq.tools.log.CopyProgress;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code restore} command: see {@link Restore}. */
@Command(
    name = "restore",
    header = "Create a data directory from a backup.",
    description = {
      "",
      "Copies every file, checks lengths and checksums, replays the copy and compares its digests"
          + " with backup.json. Only then can an engine open DIR. The backup is not changed. The"
          + " user who runs the command owns the files.",
      "",
      "With --member, DIR is the directory of a cluster member. Restore the same backup for every"
          + " member before the cluster starts for the first time; a member with a different"
          + " backup, or with none, refuses to start.",
      "",
      "Prints a JSON object with the sequence of the last record and the digests of the state.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq restore /backups/monday data",
      "  entroq restore --member /backups/monday data",
      "  entroq node --bootstrap --data data ...",
      "",
      "Exit status: 0 if DIR is restored; 1 if it is not; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
public final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "BACKUP", description = "Backup made by `entroq backup`.")
  private Path backup;

  @Parameters(
      index = "1",
      paramLabel = "DIR",
      description = "New data directory; must be empty or not exist.")
  private Path directory;

  @Option(names = "--member", description = "Restore for a member of a new cluster.")
  private boolean isMember;

  @Override
  public Integer call() {
    Path target = isMember ? seedDirectory(directory) : directory;
    try (CopyProgress progress = new CopyProgress();
        JsonLines lines = new JsonLines(spec.commandLine().getOut())) {
      BackupManifest manifest = new Restore(backup, target, Forcer.DISK, progress).run();
      progress.finish();
      BackupJson.print(lines, "restored", target, manifest);
      return 0;
    }
  }

  private static Path seedDirectory(Path member) {
    if (Files.exists(member)) {
      try (Stream<Path> entries = Files.list(member)) {
        if (entries.findAny().isPresent()) {
          throw new CommandException(
              member.toAbsolutePath()
                  + " is not empty: restore for a new cluster into empty directories");
        }
      } catch (IOException e) {
        throw new CommandException("cannot read %s: %s".formatted(member, e), e);
      }
    }
    return ClusterMember.seedIn(member);
  }
}
