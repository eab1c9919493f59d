package io.entroq.server.cli;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.engine.backup.Backup;
import io.entroq.engine.backup.BackupManifest;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.log.Forcer;
import io.entroq.server.cli.queue.options.ServerOptions;
import io.entroq.service.admin.BackupReceiver;
import io.entroq.tools.log.BackupJson;
import io.entroq.tools.log.CopyProgress;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code backup} command: see {@link Backup} and {@link BackupReceiver}. */
@Command(
    name = "backup",
    header = "Copies all that an engine, a server or a member of a cluster keeps, while it runs.",
    description = {
      "",
      "Copies the newest good snapshot and the log behind it, up to the last record that is whole at"
          + " that moment, loads and replays the copy, and writes backup.json, which says what the"
          + " backup holds. Without that file it is no backup. Replaying takes as much memory as the"
          + " engine.",
      "",
      "From the data directory DIR on this machine; or, with -s, from whoever serves there, over the"
          + " network: the members that are named are asked one after the other until one sends a"
          + " backup. What a member sends has to lead to the digests that its own state has. Nobody"
          + " who uses the queue waits for it. Where an authorizer decides, the token has to allow"
          + " everything on all queues and namespaces.",
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
      "  entroq backup -s a:37706,b:37706,c:37706 /backups/monday",
      "  entroq restore /backups/monday data2       put it back",
      "",
      "Exit status: 0 if there is a backup; 1 if there is none; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..2",
      paramLabel = "DIR",
      hideParamSyntax = true,
      description =
          "[DIR] DEST: the data directory, unless there is -s; and where the backup will be, which"
              + " must not exist, or be empty.")
  private List<Path> paths;

  @Mixin private DurabilityOption durability;
  @Mixin private ServerOptions server;

  @Override
  public Integer call() {
    boolean isLocal = paths.size() == 2;
    if (isLocal && server.named().isPresent()) {
      throw misused("-s and a data directory: give one of them");
    }
    if (!isLocal && server.address().isEmpty()) {
      throw misused("where from? Give a data directory, or a server with -s");
    }
    durability.objection(isLocal).ifPresent(this::refuse);
    server.objection(!isLocal).ifPresent(this::refuse);
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
    BackupReceiver backup = new BackupReceiver(target, progress);
    List<String> refusals = new ArrayList<>();
    for (String address : addresses()) {
      try (AdminClient client = server.admin(address)) {
        return backup.take(client);
      } catch (EntroQException.InvalidArgument | EntroQException.Unavailable e) {
        refusals.add(e.getMessage());
      }
    }
    throw new CommandException(String.join("; ", refusals));
  }

  private List<String> addresses() {
    try {
      return server.each();
    } catch (EntroQException.InvalidArgument e) {
      throw misused(e.getMessage());
    }
  }

  private void refuse(String why) {
    throw misused(why);
  }

  private ParameterException misused(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
