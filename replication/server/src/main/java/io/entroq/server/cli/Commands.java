package io.entroq.server.cli;

import io.entroq.server.cli.admin.MembersCommand;
import io.entroq.server.cli.admin.ReplaceMemberCommand;
import io.entroq.server.cli.admin.SetMembersCommand;
import io.entroq.server.cli.admin.ShutdownCommand;
import io.entroq.server.cli.admin.SnapshotCommand;
import io.entroq.server.cli.admin.StatusCommand;
import io.entroq.server.cli.history.AtCommand;
import io.entroq.server.cli.history.BranchCommand;
import io.entroq.server.cli.history.DiffCommand;
import io.entroq.server.cli.history.TailCommand;
import io.entroq.server.cli.history.TaskHistoryCommand;
import io.entroq.server.cli.log.BackupCommand;
import io.entroq.server.cli.log.DetachCommand;
import io.entroq.server.cli.log.LevelCommand;
import io.entroq.server.cli.log.LogCommand;
import io.entroq.server.cli.log.RestoreCommand;
import io.entroq.server.cli.queue.CommandList;
import io.entroq.server.cli.work.WorkCommand;
import java.util.ArrayList;
import java.util.List;

/** All commands, in the order of the help. */
final class Commands {
  /** Servers and tools; the help lists them before the queue commands. */
  private static final List<String> TOOLS =
      List.of(
          "serve",
          "node",
          "cluster",
          "console-user",
          "health",
          "demo",
          "bench",
          "log",
          "backup",
          "restore",
          "detach",
          "level",
          "tail",
          "history",
          "diff",
          "at",
          "branch",
          "work",
          "status",
          "members",
          "snapshot",
          "replace-member",
          "shutdown",
          "set-members");

  private Commands() {}

  /**
   * The commands that a command line needs: the one that it names, none for the version, or else
   * all. Building all of them takes longer than most commands run, and so does loading them: it
   * loads only the classes that it returns.
   */
  static List<Class<?>> neededBy(String... args) {
    String name = args.length == 0 ? "" : args[0];
    if (Main.isVersionFlag(name)) {
      return List.of();
    }
    Class<?> named = named(name);
    return named == null ? all() : List.of(named);
  }

  private static List<Class<?>> all() {
    List<Class<?>> all = new ArrayList<>();
    TOOLS.forEach(name -> all.add(tool(name)));
    CommandList.names().forEach(name -> all.add(CommandList.named(name)));
    all.add(CompletionCommand.class);
    all.add(HelpCommand.class);
    return all;
  }

  /** The command, unless it needs all the others; null if there is none. */
  private static Class<?> named(String name) {
    Class<?> tool = tool(name);
    return tool == null ? CommandList.named(name) : tool;
  }

  private static Class<?> tool(String name) {
    return switch (name) {
      case "serve" -> ServeCommand.class;
      case "node" -> NodeCommand.class;
      case "cluster" -> ClusterCommand.class;
      case "console-user" -> ConsoleUserCommand.class;
      case "health" -> HealthCommand.class;
      case "demo" -> DemoCommand.class;
      case "bench" -> BenchCommand.class;
      case "log" -> LogCommand.class;
      case "backup" -> BackupCommand.class;
      case "restore" -> RestoreCommand.class;
      case "detach" -> DetachCommand.class;
      case "level" -> LevelCommand.class;
      case "tail" -> TailCommand.class;
      case "history" -> TaskHistoryCommand.class;
      case "diff" -> DiffCommand.class;
      case "at" -> AtCommand.class;
      case "branch" -> BranchCommand.class;
      case "work" -> WorkCommand.class;
      case "status" -> StatusCommand.class;
      case "members" -> MembersCommand.class;
      case "snapshot" -> SnapshotCommand.class;
      case "replace-member" -> ReplaceMemberCommand.class;
      case "shutdown" -> ShutdownCommand.class;
      case "set-members" -> SetMembersCommand.class;
      // Only for the script that starts the command line, so it is not listed.
      case "class-data" -> ClassDataCommand.class;
      default -> null;
    };
  }
}
