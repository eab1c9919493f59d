package io.entroq.tools.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What files take on the disk, which Java does not tell: their sizes say more than is there. */
final class DiskUse {
  private static final long KIB = 1 << 10;

  private DiskUse() {}

  /** Bytes allocated to a directory and all in it; empty where there is no {@code du} to ask. */
  static OptionalLong allocatedBytes(Path directory) {
    ProcessBuilder command =
        new ProcessBuilder("du", "-sk", directory.toAbsolutePath().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process du = command.start();
      String answer = new String(du.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      // Its status says nothing: a file that a running engine has removed meanwhile is an error.
      return kibibytes(answer);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong kibibytes(String answer) {
    String number = answer.strip().split("\\s", 2)[0];
    return number.matches("\\d{1,15}")
        ? OptionalLong.of(Long.parseLong(number) * KIB)
        : OptionalLong.empty();
  }
}
