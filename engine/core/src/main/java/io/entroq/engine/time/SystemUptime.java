package io.entroq.engine.time;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time since the system started. Unlike {@link System#nanoTime}, it goes on while the system is
 * suspended. Any thread.
 */
final class SystemUptime {
  /** The system does not tell: it is not Linux. */
  static final long UNKNOWN = -1;

  private static final int NANO_DIGITS = 9;

  private SystemUptime() {}

  /** In nanoseconds, exact to hundredths of a second, or {@link #UNKNOWN}. */
  static long readNs() {
    return readNs(Path.of("/proc/uptime"));
  }

  static long readNs(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      int end = text.indexOf(' ');
      BigDecimal seconds = new BigDecimal(end < 0 ? text.strip() : text.substring(0, end));
      return Math.max(UNKNOWN, seconds.scaleByPowerOfTen(NANO_DIGITS).longValueExact());
    } catch (IOException | ArithmeticException | NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
