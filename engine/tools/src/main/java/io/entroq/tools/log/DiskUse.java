package io.entroq.tools.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Disk space allocated to files, which may be less than their sizes; Java cannot read it. */
final class DiskUse {
  private static final long KIB = 1 << 10;

  private DiskUse() {}

  /** Bytes allocated to a directory and its contents; empty if there is no {@code du}. */
  static OptionalLong allocatedBytes(Path directory) {
    ProcessBuilder command =
        new ProcessBuilder("du", "-sk", directory.toAbsolutePath().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process du = command.start();
      String output = new String(du.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      // Ignore its status: it fails if a running engine removes a file in the meantime.
      return kibibytes(output);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong kibibytes(String output) {
    String number = output.strip().split("\\s", 2)[0];
    return number.matches("\\d{1,15}")
        ? OptionalLong.of(Long.parseLong(number) * KIB)
        : OptionalLong.empty();
  }
}
