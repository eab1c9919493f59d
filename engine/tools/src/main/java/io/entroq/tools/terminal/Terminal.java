package io.entroq.tools.terminal;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects whether standard streams are attached to a terminal. */
public final class Terminal {
  private static final int INPUT = 0;
  private static final int OUTPUT = 1;
  private static final int ERROR = 2;

  private Terminal() {}

  /**
   * Whether input and output are a terminal. Newer JDKs have a console without a terminal too, and
   * {@code Console.isTerminal}, which JDK 17 lacks.
   */
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isAttached() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** Whether standard input is a terminal, as far as known. */
  public static boolean isInputAttached() {
    return isTerminal(INPUT);
  }

  /** Whether standard output is a terminal, as far as known. */
  public static boolean isOutputAttached() {
    return isTerminal(OUTPUT);
  }

  /** Whether standard error is a terminal, as far as known. */
  public static boolean isErrorAttached() {
    return isTerminal(ERROR);
  }

  /** Java cannot distinguish input and output; Linux can. */
  private static boolean isTerminal(int descriptor) {
    try {
      String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return device.startsWith("/dev/pts/")
          || device.startsWith("/dev/tty")
          || device.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return isAttached();
    }
  }
}
