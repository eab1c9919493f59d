package io.entroq.server.cli;

import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The words of the command line, whatever the locale is. Where it has no letters but those of
 * ASCII, as under cron, Java puts a mark in place of each byte that it cannot read; the bytes
 * themselves are still to be had from Linux.
 */
final class Arguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  /** What Java puts in place of a byte that it cannot read. */
  private static final char UNREADABLE = '\uFFFD';

  private Arguments() {}

  /**
   * The same arguments, as UTF-8 where Java could not read them.
   *
   * @throws CommandException if they are no UTF-8, or not to be had
   */
  static String[] readable(String... args) {
    for (String arg : args) {
      if (arg.indexOf(UNREADABLE) >= 0) {
        return decode(commandLine(), args);
      }
    }
    return args;
  }

  private static byte[] commandLine() {
    try {
      return Files.readAllBytes(COMMAND_LINE);
    } catch (IOException e) {
      throw unreadable("cannot be read in this locale", e);
    }
  }

  /**
   * The last words of a command line, each of which ends with a byte of zero.
   *
   * @param args the same words as Java reads them
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
