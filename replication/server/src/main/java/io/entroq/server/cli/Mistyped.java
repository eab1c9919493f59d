package io.entroq.server.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What to say of a command line that is wrong: a mistyped word rather than what it leads to. */
final class Mistyped {
  private Mistyped() {}

  /** Says what is wrong, without an end to the sentence. */
  static String message(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched) {
      return message(unmatched);
    }
    List<String> unknown = command.getUnmatchedArguments();
    // An option that is missing may be there, but for its name.
    return e instanceof MissingParameterException && !unknown.isEmpty()
        ? message(new UnmatchedArgumentException(command, unknown))
        : e.getMessage();
  }

  private static String message(UnmatchedArgumentException e) {
    String word = e.getUnmatched().get(0);
    if (word.startsWith("-")) {
      return "Unknown option " + word + suggestion(e);
    }
    boolean isGroup = !e.getCommandLine().getSubcommands().isEmpty();
    return isGroup ? "Unknown command " + word + suggestion(e) : e.getMessage();
  }

  private static String suggestion(UnmatchedArgumentException e) {
    List<String> similar = e.getSuggestions();
    return similar.isEmpty() ? "" : "; did you mean %s?".formatted(String.join(" or ", similar));
  }
}
