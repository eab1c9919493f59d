package io.entroq.server.cli.log;

import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogReading;
import io.entroq.tools.log.LogVerify;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code log verify} command: see {@link LogVerify}. */
@Command(
    name = "verify",
    header = "Read and check a whole log.",
    description = {
      "",
      "Checks every record, that none is missing, and that the end of the log is not lost. Then"
          + " replays the log as an engine would and checks the digests. The replay needs as much"
          + " memory as the engine; --no-replay omits it.",
      "",
      "Prints a JSON object per segment, then a summary with the digests of the final state. It"
          + " reports what would make an engine refuse the directory or warn about it, and any"
          + " other damage. Nothing is changed, and an engine may be running.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log verify data                   check everything",
      "  entroq log verify data | tail -1         only the summary",
      "  entroq log verify data --no-replay       with little memory",
      "",
      "Exit status: 0 if an engine can open the directory without losing anything, even if other"
          + " files are damaged; 1 if an engine would refuse the directory, or it cannot be read"
          + " or replayed; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class LogVerifyCommand extends LogToolCommand {
  @Option(names = "--no-replay", description = "Check the bytes only.")
  private boolean isReplayOmitted;

  @Override
  boolean printsAtEnd() {
    return true;
  }

  @Override
  void run(LogReading reading, JsonLines lines) {
    for (String warning : new LogVerify(reading, lines, !isReplayOmitted).run()) {
      warn(warning);
    }
  }
}
