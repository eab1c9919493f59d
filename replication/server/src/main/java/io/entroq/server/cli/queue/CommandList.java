package io.entroq.server.cli.queue;

import java.util.List;

/** All commands on tasks, queues and docs. */
public final class CommandList {
  private CommandList() {}

  /** New ones, in the order in which they are to be listed. */
  public static List<Object> all() {
    return List.of(
        new InsCommand(),
        new ClaimCommand(),
        new TryClaimIdCommand(),
        new TsCommand(),
        new QsCommand(),
        new StatsCommand(),
        new ModCommand(),
        new RmCommand(),
        new ClearCommand(),
        new RedriveCommand(),
        new NsCommand(),
        new DocsCommand(),
        new DocPutCommand(),
        new DocRmCommand(),
        new ImportCommand(),
        new TimeCommand());
  }
}
