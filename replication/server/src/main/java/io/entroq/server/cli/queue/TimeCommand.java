package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code time} command. */
@Command(
    name = "time",
    header = "Print the time of the queue.",
    description = {
      "",
      "Prints the time that decides when leases expire and tasks become due, in UTC with"
          + " milliseconds. It never goes back, and normally follows the server's clock.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq time --data data",
      "  entroq time --data data -m     milliseconds since 1970",
      "",
      "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
    })
final class TimeCommand extends TargetCommand {
  @Option(
      names = {"-m", "--millis"},
      description = "Print milliseconds since 1970.")
  private boolean isMillis;

  @Option(
      names = {"-l", "--local"},
      description = "Print the time in the local time zone.")
  private boolean isLocal;

  @Override
  void checkOptions() {
    if (isMillis && isLocal) {
      throw usageError("-m and -l cannot be combined");
    }
  }

  @Override
  boolean isReading() {
    return true;
  }

  @Override
  int run(EntroQ queue) {
    Instant time = queue.time().truncatedTo(ChronoUnit.MILLIS);
    if (isMillis) {
      print(Long.toString(time.toEpochMilli()));
    } else if (isLocal) {
      print(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atZone(ZoneId.systemDefault())));
    } else {
      print(time.toString());
    }
    return STATUS_OK;
  }
}
