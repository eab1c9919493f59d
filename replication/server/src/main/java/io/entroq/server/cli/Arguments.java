package io.entroq.server.cli;

import io.entroq.server.settings.ServerSettings;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decodes command-line arguments as UTF-8 in any locale. In an ASCII locale, as under cron, Java
 * replaces the bytes that it cannot decode; Linux still has the original ones.
 */
final class Arguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private static final char REPLACEMENT_CHARACTER = '\uFFFD';

  /** The commands with options for settings. */
  private static final Set<String> HAVE_FULL_HELP = Set.of("serve", "node", "health");

  private Arguments() {}

  /**
   * Returns the arguments, decoded again as UTF-8 if Java could not decode them.
   *
   * @throws CommandException if the original bytes are not UTF-8 or are not available
   */
  static String[] decode(String... args) {
    for (String arg : args) {
      if (arg.indexOf(REPLACEMENT_CHARACTER) >= 0) {
        return decode(rawCommandLine(), args);
      }
    }
    return args;
  }

  /**
   * Prepends {@code serve} if the arguments start with a server flag: EntroQ's servers were started
   * that way before they had commands. Makes the full help a help, which picocli has only one of.
   */
  static String[] withCommand(String... args) {
    if (args.length > 0 && isFullHelp(args)) {
      return new String[] {args[0], "--help"};
    }
    if (args.length == 0 || !mayBeServerFlag(args[0]) || !isServerFlag(args[0])) {
      return args;
    }
    return Stream.concat(Stream.of("serve"), Stream.of(args)).toArray(String[]::new);
  }

  /** Whether the options that the short help leaves out must be shown. */
  static boolean needFullHelp(String... args) {
    return args.length > 0 && (args[0].equals("completion") || isFullHelp(args));
  }

  private static boolean isFullHelp(String... args) {
    return HAVE_FULL_HELP.contains(args[0])
        && Arrays.asList(args).contains(SettingsOptions.HELP_ALL);
  }

  /** Spares most commands the settings, which take longer to load than the rest of the command. */
  private static boolean mayBeServerFlag(String arg) {
    return arg.startsWith("-") && !Main.isVersionFlag(arg);
  }

  private static boolean isServerFlag(String arg) {
    String name = arg.split("=", 2)[0];
    return name.equals(ConfigOptions.FILE_FLAG)
        || ServerSettings.all().stream()
            .anyMatch(setting -> List.of(setting.flags()).contains(name));
  }

  private static byte[] rawCommandLine() {
    try {
      return Files.readAllBytes(COMMAND_LINE);
    } catch (IOException e) {
      throw undecodable("cannot be read in this locale", e);
    }
  }

  /**
   * Decodes the last arguments of a command line whose arguments each end with a zero byte.
   *
   * @param args the same arguments, as Java decoded them
   */
  static String[] decode(byte[] commandLine, String... args) {
    List<ByteBuffer> words = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < commandLine.length; i++) {
      if (commandLine[i] == 0) {
        words.add(ByteBuffer.wrap(commandLine, start, i - start));
        start = i + 1;
      }
    }
    if (words.size() < args.length) {
      throw undecodable("cannot be read in this locale", null);
    }
    return words.stream()
        .skip(words.size() - args.length)
        .map(Arguments::utf8)
        .toArray(String[]::new);
  }

  private static String utf8(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw undecodable("is not UTF-8", e);
    }
  }

  private static CommandException undecodable(String why, Exception cause) {
    return new CommandException(
        "the command line "
            + why
            + ": set LC_ALL=C.UTF-8 and use UTF-8, or write values with JSON's \\u escapes",
        cause);
  }
}
