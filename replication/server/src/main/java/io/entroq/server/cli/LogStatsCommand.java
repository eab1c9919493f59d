package io.entroq.server.cli;

import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogReading;
import io.entroq.tools.log.LogStats;
import picocli.CommandLine.Command;

/** The {@code log stats} command: see {@link LogStats}. */
@Command(
    name = "stats",
    header = "Says what a log consists of.",
    description = {
      "",
      "Prints one JSON object: id and behaviour level of the log, records and bytes by type, first"
          + " and last record with their times, how far the log says itself to be on the disk, runs"
          + " and segments, their size as files and what they take on the disk.",
      "",
      "Every record is read and checked. No data is changed, and an engine may be using the"
          + " directory meanwhile.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log stats data",
      "  entroq log stats data | jq .types.MODIFY",
      "",
      "Exit status: 0 if the log is sound; 1 if it is damaged or cannot be read; 2 if the command"
          + " line is wrong."
    },
    mixinStandardHelpOptions = true)
final class LogStatsCommand extends LogToolCommand {
  @Override
  boolean printsAtTheEnd() {
    return true;
  }

  @Override
  void run(LogReading reading, JsonLines lines) {
    new LogStats(reading, lines).run();
  }
}
