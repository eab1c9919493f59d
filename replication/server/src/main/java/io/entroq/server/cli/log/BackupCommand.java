package io.entroq.server.cli.log;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.engine.backup.Backup;
import io.entroq.engine.backup.BackupManifest;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.log.Forcer;
import io.entroq.server.cli.queue.options.CopyOption;
import io.entroq.service.admin.BackupReceiver;
import io.entroq.tools.log.BackupJson;
import io.entroq.tools.log.CopyProgress;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The {@code backup} command: see {@link Backup} and {@link BackupReceiver}. */
@Command(
    name = "backup",
    header = "Back up a data directory, a server or a cluster member while it runs.",
    description = {
      "",
      "Copies the newest intact snapshot and the log that follows it, replays the copy to check"
          + " it, and then writes backup.json with what the backup holds. A directory without"
          + " that file is not a backup. The replay needs as much memory as the engine.",
      "",
      "The source is a data directory DIR on this machine or, with -s, a server. Given several"
          + " cluster members, it uses the first that sends a backup. A backup from a member must"
          + " have the same digests as the member's state. Callers of the queue do not wait for a"
          + " backup. A backup from another machine needs TLS (-S, --tls-ca) or --insecure-copies."
          + " With an authorizer, the token must allow every action on all queues and namespaces.",
      "",
      "Prints a JSON object with the sequence of the last record and the digests of the state;"
          + " `entroq log verify` prints the same digests. The source is not changed; a running"
          + " engine keeps the log until the backup has read it.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq backup data /backups/monday",
      "  entroq backup -s a:37706,b:37706,c:37706 --tls-ca ca.pem /backups/monday",
      "  entroq restore /backups/monday data2       restore it",
      "",
      "Exit status: 0 if the backup is complete; 1 if it is not; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
public final class BackupCommand extends DirectoryOrServerCommand {
  @Parameters(
      arity = "1..2",
      paramLabel = "DIR",
      hideParamSyntax = true,
      description =
          "[DIR] DEST: the data directory, unless -s is given, and the directory for the backup,"
              + " which must be empty or not exist.")
  private List<Path> paths;

  @Mixin private CopyOption copies;

  @Override
  public Integer call() {
    boolean isLocal = paths.size() == 2;
    checkOptions(isLocal, "source");
    try (CopyProgress progress = new CopyProgress();
        JsonLines lines = new JsonLines(spec.commandLine().getOut())) {
      Path target = paths.get(paths.size() - 1);
      BackupManifest manifest = isLocal ? copy(target, progress) : receive(target, progress);
      progress.finish();
      BackupJson.print(lines, "backup", target, manifest);
      return 0;
    }
  }

  private BackupManifest copy(Path target, BackupProgress progress) {
    return new Backup(paths.get(0), target, durability.policy(), Forcer.DISK, progress).run();
  }

  private BackupManifest receive(Path target, BackupProgress progress) {
    List<String> addresses = addresses();
    copies.check(spec.commandLine(), server.isEncrypted(), addresses);
    BackupReceiver backup = new BackupReceiver(target, progress);
    List<String> refusals = new ArrayList<>();
    for (String address : addresses) {
      try (AdminClient client = server.admin(address)) {
        return backup.take(client);
      } catch (EntroQException.Unavailable e) {
        refusals.add(server.explained(address, e).getMessage());
      } catch (EntroQException.InvalidArgument e) {
        refusals.add(e.getMessage());
      }
    }
    throw new CommandException(String.join("; ", refusals));
  }
}
