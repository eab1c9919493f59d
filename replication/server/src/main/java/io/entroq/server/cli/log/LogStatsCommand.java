package io.entroq.server.cli.log;

import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogReading;
import io.entroq.tools.log.LogStats;
import picocli.CommandLine.Command;

/** The {@code log stats} command: see {@link LogStats}. */
@Command(
    name = "stats",
    header = "Print statistics of a log.",
    description = {
      "",
      "Prints one JSON object: id and behavior level of the log, records and bytes by type, the"
          + " first and last record with their times, the newest sequence known to be on disk,"
          + " runs and segments, and their size in files and on disk.",
      "",
      "Every record is read and checked. Nothing is changed, and an engine may be running.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log stats data",
      "  entroq log stats data | jq .types.MODIFY",
      "",
      "Exit status: 0 if the log is intact; 1 if it is damaged or cannot be read; 2 if the"
          + " command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class LogStatsCommand extends LogToolCommand {
  @Override
  boolean printsAtEnd() {
    return true;
  }

  @Override
  void run(LogReading reading, JsonLines lines) {
    new LogStats(reading, lines).run();
  }
}
