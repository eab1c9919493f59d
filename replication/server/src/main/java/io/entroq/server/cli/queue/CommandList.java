package io.entroq.server.cli.queue;

import java.util.List;

/** All commands for tasks, queues and docs. */
public final class CommandList {
  /** In the order of the help. */
  private static final List<String> NAMES =
      List.of(
          "ins",
          "claim",
          "tryclaimid",
          "ts",
          "qs",
          "stats",
          "mod",
          "rm",
          "clear",
          "redrive",
          "policy",
          "limiter",
          "group",
          "pause",
          "resume",
          "position",
          "ns",
          "docs",
          "doc-put",
          "doc-rm",
          "import",
          "time");

  private CommandList() {}

  /** The names in the order of the help, without aliases. */
  public static List<String> names() {
    return NAMES;
  }

  /** The command of this name or alias; null if there is none. Loads only this class. */
  public static Class<?> named(String name) {
    return switch (name) {
      case "ins" -> InsCommand.class;
      case "claim" -> ClaimCommand.class;
      case "tryclaimid" -> TryClaimIdCommand.class;
      case "ts" -> TsCommand.class;
      case "qs" -> QsCommand.class;
      case "stats" -> StatsCommand.class;
      case "mod" -> ModCommand.class;
      case "rm" -> RmCommand.class;
      case "clear" -> ClearCommand.class;
      case "redrive" -> RedriveCommand.class;
      case "policy" -> PolicyCommand.class;
      case "limiter" -> LimiterCommand.class;
      case "group" -> GroupCommand.class;
      case "pause" -> PauseCommand.class;
      case "resume" -> ResumeCommand.class;
      case "position" -> PositionCommand.class;
      case "ns", "namespaces" -> NsCommand.class;
      case "docs" -> DocsCommand.class;
      case "doc-put" -> DocPutCommand.class;
      case "doc-rm" -> DocRmCommand.class;
      case "import" -> ImportCommand.class;
      case "time" -> TimeCommand.class;
      default -> null;
    };
  }
}
