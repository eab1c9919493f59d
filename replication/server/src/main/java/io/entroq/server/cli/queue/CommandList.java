package io.entroq.server.cli.queue;

import java.util.List;

/** All commands for tasks, queues and docs. */
public final class CommandList {
  private CommandList() {}

  /** In the order of the help. */
  public static List<Class<?>> all() {
    return List.of(
        InsCommand.class,
        ClaimCommand.class,
        TryClaimIdCommand.class,
        TsCommand.class,
        QsCommand.class,
        StatsCommand.class,
        ModCommand.class,
        RmCommand.class,
        ClearCommand.class,
        RedriveCommand.class,
        NsCommand.class,
        DocsCommand.class,
        DocPutCommand.class,
        DocRmCommand.class,
        ImportCommand.class,
        TimeCommand.class);
  }
}
