package io.entroq.server.cli;

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
    header = "Makes a data directory out of a backup.",
    description = {
      "",
      "Copies every file, checks its length and checksum, loads and replays the copy, and compares the"
          + " digests with those in backup.json. Only then does DIR become a data directory that an"
          + " engine opens. The backup stays as it is. The files belong to the user who restores.",
      "",
      "With --member DIR is that of a member of a cluster which is to begin with the backup. It is"
          + " restored for each member, before all are started for the first time; one that has"
          + " another backup, or none, ends with an error.",
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
final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "BACKUP", description = "What the backup command has made.")
  private Path backup;

  @Parameters(
      index = "1",
      paramLabel = "DIR",
      description = "The new data directory. Must not exist, or be empty.")
  private Path directory;

  @Option(
      names = "--member",
      description = "For a member of a cluster that begins with the backup.")
  private boolean isMember;

  @Override
  public Integer call() {
    Path target = isMember ? seedOf(directory) : directory;
    try (CopyProgress progress = new CopyProgress();
        JsonLines lines = new JsonLines(spec.commandLine().getOut())) {
      BackupManifest manifest = new Restore(backup, target, Forcer.DISK, progress).run();
      progress.finish();
      BackupJson.print(lines, "restored", target, manifest);
      return 0;
    }
  }

  private static Path seedOf(Path member) {
    if (Files.exists(member)) {
      try (Stream<Path> entries = Files.list(member)) {
        if (entries.findAny().isPresent()) {
          throw new CommandException(
              member.toAbsolutePath()
                  + " is not empty: a cluster begins with a backup in empty directories");
        }
      } catch (IOException e) {
        throw new CommandException("cannot look into %s: %s".formatted(member, e), e);
      }
    }
    return ClusterMember.seedIn(member);
  }
}
