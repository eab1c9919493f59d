package io.entroq.server.demo.report;

import java.io.Console;

/** Whether somebody is watching. */
final class Terminal {
  private Terminal() {}

  /**
   * Whether input and output are a terminal. Newer JDKs have a console without one too, and a
   * method of it to tell, which JDK 17 lacks.
   */
  @SuppressWarnings("SystemConsoleNull")
  static boolean isAttached() {
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
}
