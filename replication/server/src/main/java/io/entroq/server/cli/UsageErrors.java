package io.entroq.server.cli;

import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Setting;
import io.entroq.server.settings.SpellingSuggestion;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line, and what was probably meant. */
final class UsageErrors {
  private static final String SERVER = "-s";
  private static final String DIRECTORY = "--data";

  /** The options that words without an option were probably meant for, the likeliest first. */
  private static final List<String> MEANT = List.of("--task", "--queue", "--namespace", DIRECTORY);

  /** What other tools call the address of a server. */
  private static final List<String> ADDRESS_FLAGS =
      List.of("--port", "--http-port", "--host", "--server", "--address", "--addr", "--url");

  private static final Pattern ADDRESS = Pattern.compile("[^/\\s]+:\\d{2,5}");

  private UsageErrors() {}

  /** The message; prefers a mistyped argument to its consequences, such as a missing option. */
  static String message(ParameterException e) {
    List<String> unknown = e.getCommandLine().getUnmatchedArguments();
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatched(e.getCommandLine(), unmatched.getUnmatched().get(0));
    }
    return e instanceof MissingParameterException && !unknown.isEmpty()
        ? unmatched(e.getCommandLine(), unknown.get(0))
        : e.getMessage();
  }

  private static String unmatched(CommandLine command, String word) {
    if (word.startsWith("-")) {
      return "Unknown option " + word + didYouMean(option(command, word.split("=", 2)[0]));
    }
    return command.getSubcommands().isEmpty()
        ? "Unexpected argument " + word + didYouMean(optionFor(command, word))
        : unknownCommand(command, word);
  }

  /** The message for a word that is no subcommand. */
  static String unknownCommand(CommandLine parent, String word) {
    return "Unknown command " + word + didYouMean(command(parent, word));
  }

  private static String didYouMean(Optional<String> meant) {
    return meant.map("; did you mean %s?"::formatted).orElse("");
  }

  /** Prefers names that begin like the word: ins for insert. */
  private static Optional<String> command(CommandLine parent, String word) {
    List<String> names = List.copyOf(parent.getSubcommands().keySet());
    List<String> akin =
        names.stream()
            .filter(name -> word.startsWith(name) || name.startsWith(word))
            .sorted()
            .toList();
    if (!akin.isEmpty()) {
      return Optional.of(String.join(" or ", akin));
    }
    return SpellingSuggestion.closest(word, names)
        .or(
            () ->
                new UnmatchedArgumentException(parent, List.of(word))
                    .getSuggestions().stream().findFirst());
  }

  private static Optional<String> option(CommandLine command, String word) {
    List<String> names =
        command.getCommandSpec().options().stream().map(OptionSpec::longestName).toList();
    return SpellingSuggestion.closest(word, names).or(() -> elsewhere(command, word));
  }

  /** What a flag of the server means for a command that connects to one, or for no command. */
  private static Optional<String> elsewhere(CommandLine command, String word) {
    if (find(command, SERVER).isPresent()) {
      return SpellingSuggestion.closest(word, ADDRESS_FLAGS).map(flag -> SERVER + " HOST:PORT");
    }
    return command.getParent() == null
        ? SpellingSuggestion.closest(word, serverFlags()).map("entroq serve "::concat)
        : Optional.empty();
  }

  private static List<String> serverFlags() {
    return ServerSettings.all().stream().map(Setting::flags).map(flags -> flags[0]).toList();
  }

  /** The option that a word on its own was probably meant for. */
  private static Optional<String> optionFor(CommandLine command, String word) {
    if (ADDRESS.matcher(word).matches() && isFree(command, SERVER)) {
      return Optional.of(SERVER + " " + word);
    }
    if (isDirectory(word) && isFree(command, DIRECTORY)) {
      return Optional.of(DIRECTORY + " " + word);
    }
    return MEANT.stream()
        .filter(name -> isFree(command, name))
        .findFirst()
        .map(name -> shortest(command, name) + " " + word);
  }

  private static boolean isDirectory(String word) {
    try {
      return Files.isDirectory(Path.of(word));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Whether the command has the option, and it was not given. */
  private static boolean isFree(CommandLine command, String name) {
    return find(command, name).isPresent() && !command.getParseResult().hasMatchedOption(name);
  }

  private static String shortest(CommandLine command, String name) {
    return find(command, name).map(OptionSpec::shortestName).orElse(name);
  }

  private static Optional<OptionSpec> find(CommandLine command, String name) {
    CommandSpec spec = command.getCommandSpec();
    return spec.options().stream()
        .filter(option -> Arrays.asList(option.names()).contains(name))
        .findFirst();
  }
}
