package io.entroq.server.cli;

import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogReading;
import io.entroq.tools.log.LogVerify;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code log verify} command: see {@link LogVerify}. */
@Command(
    name = "verify",
    header = "Reads all of a log and checks it.",
    description = {
      "",
      "Checks every record, that none is missing, and that the log reaches as far as it ever did;"
          + " then replays it, as an engine does that opens it, and checks the digests. Replaying"
          + " takes as much memory as that engine; --no-replay does without.",
      "",
      "Prints a JSON object for each segment, and then one that says whether all is well, with the"
          + " digests of the state that an engine comes to. It says what an engine would that opens the"
          + " directory, of which it refuses or warns, and also what is damaged besides. No data is changed, and an engine may be"
          + " using the directory meanwhile.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log verify data                   everything",
      "  entroq log verify data | tail -1         only the summary",
      "  entroq log verify data --no-replay       with little memory",
      "",
      "Exit status: 0 if an engine opens the directory and loses nothing that it can know of, what is"
          + " damaged and not needed is a warning; 1 if an engine refuses it, or it cannot be read or"
          + " replayed; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class LogVerifyCommand extends LogToolCommand {
  @Option(names = "--no-replay", description = "Check the bytes only.")
  private boolean isNotReplayed;

  @Override
  boolean printsAtTheEnd() {
    return true;
  }

  @Override
  void run(LogReading reading, JsonLines lines) {
    for (String warning : new LogVerify(reading, lines, !isNotReplayed).run()) {
      warn(warning);
    }
  }
}
