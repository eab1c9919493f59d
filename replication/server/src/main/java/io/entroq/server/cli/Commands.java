package io.entroq.server.cli;

import io.entroq.server.cli.admin.MembersCommand;
import io.entroq.server.cli.admin.ReplaceMemberCommand;
import io.entroq.server.cli.admin.SnapshotCommand;
import io.entroq.server.cli.admin.StatusCommand;
import io.entroq.server.cli.log.BackupCommand;
import io.entroq.server.cli.log.DetachCommand;
import io.entroq.server.cli.log.LevelCommand;
import io.entroq.server.cli.log.LogCommand;
import io.entroq.server.cli.log.RestoreCommand;
import io.entroq.server.cli.queue.CommandList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** All commands, in the order of the help. */
final class Commands {
  /** Servers and tools; the help lists them before the queue commands. */
  private static final List<Class<?>> TOOLS =
      List.of(
          ServeCommand.class,
          NodeCommand.class,
          ClusterCommand.class,
          HealthCommand.class,
          DemoCommand.class,
          BenchCommand.class,
          SimCommand.class,
          LogCommand.class,
          BackupCommand.class,
          RestoreCommand.class,
          DetachCommand.class,
          LevelCommand.class,
          StatusCommand.class,
          MembersCommand.class,
          SnapshotCommand.class,
          ReplaceMemberCommand.class);

  /** Commands that need all the others. */
  private static final List<Class<?>> GUIDES = List.of(CompletionCommand.class, HelpCommand.class);

  private Commands() {}

  /**
   * The commands that a command line needs: the one that it names, or else all. Building all of
   * them takes longer than most commands run.
   */
  static List<Class<?>> neededBy(String... args) {
    List<Class<?>> named =
        exceptGuides().filter(command -> args.length > 0 && isNamed(command, args[0])).toList();
    return named.isEmpty() ? Stream.concat(exceptGuides(), GUIDES.stream()).toList() : named;
  }

  private static Stream<Class<?>> exceptGuides() {
    return Stream.concat(TOOLS.stream(), CommandList.all().stream());
  }

  private static boolean isNamed(Class<?> command, String name) {
    Command annotation = command.getAnnotation(Command.class);
    return annotation.name().equals(name) || Arrays.asList(annotation.aliases()).contains(name);
  }
}
