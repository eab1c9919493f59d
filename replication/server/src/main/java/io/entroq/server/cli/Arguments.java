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
import java.util.List;
import java.util.stream.Stream;

/**
 * The arguments of the command line, in UTF-8 whatever the locale is. In an ASCII locale, as under
 * cron, Java replaces bytes that it cannot decode; Linux still has the original bytes.
 */
final class Arguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  /** What Java replaces undecodable bytes with. */
  private static final char UNREADABLE = '\uFFFD';

  private Arguments() {}

  /**
   * The same arguments, decoded as UTF-8 if Java could not decode them.
   *
   * @throws CommandException if they are not UTF-8, or not available
   */
  static String[] readable(String... args) {
    for (String arg : args) {
      if (arg.indexOf(UNREADABLE) >= 0) {
        return decode(commandLine(), args);
      }
    }
    return args;
  }

  /**
   * The same arguments after {@code serve}, if they start with a server's flag: EntroQ's servers
   * were started that way before they had commands.
   */
  static String[] withCommand(String... args) {
    if (args.length == 0 || !isServerFlag(args[0])) {
      return args;
    }
    return Stream.concat(Stream.of("serve"), Stream.of(args)).toArray(String[]::new);
  }

  private static boolean isServerFlag(String arg) {
    String name = arg.split("=", 2)[0];
    return name.equals(ConfigOptions.FILE_FLAG)
        || ServerSettings.all().stream()
            .anyMatch(setting -> List.of(setting.flags()).contains(name));
  }

  private static byte[] commandLine() {
    try {
      return Files.readAllBytes(COMMAND_LINE);
    } catch (IOException e) {
      throw unreadable("cannot be read in this locale", e);
    }
  }

  /**
   * The last words of a command line, in which each word ends with a zero byte.
   *
   * @param args the same words as Java decoded them
   */
  static String[] decode(byte[] commandLine, String... args) {
    List<ByteBuffer> words = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < commandLine.length; i++) {
      if (commandLine[i] == 0) {
        words.add(ByteBuffer.wrap(commandLine, begin, i - begin));
        begin = i + 1;
      }
    }
    if (words.size() < args.length) {
      throw unreadable("cannot be read in this locale", null);
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
      throw unreadable("is not UTF-8", e);
    }
  }

  private static CommandException unreadable(String why, Exception cause) {
    return new CommandException(
        "the command line "
            + why
            + ": set LC_ALL=C.UTF-8 and use UTF-8, or write values with JSON's \\u escapes",
        cause);
  }
}
