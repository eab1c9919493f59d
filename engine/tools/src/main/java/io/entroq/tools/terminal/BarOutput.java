package io.entroq.tools.terminal;

import java.io.IOException;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * Draws bars on the error output.
 *
 * <p>Left to itself, the library of the bars asks a terminal for its width that gives Ctrl-C back
 * to the system: then it kills the process, and {@link Interruption} never hears of it.
 */
public final class BarOutput {
  private static final int COLUMNS_LEAST = 10;
  private static final int COLUMNS_UNKNOWN = 80;

  private BarOutput() {}

  /** As wide as the terminal is now; the last column stays free. */
  public static ProgressBarConsumer open() {
    return new ConsoleProgressBarConsumer(System.err, columns() - 1);
  }

  private static int columns() {
    try (Terminal terminal = TerminalBuilder.builder().dumb(true).nativeSignals(false).build()) {
      int columns = terminal.getWidth();
      return columns < COLUMNS_LEAST ? COLUMNS_UNKNOWN : columns;
    } catch (IOException | IllegalStateException e) {
      // The latter when the process has begun to end: then no terminal can be opened any more.
      return COLUMNS_UNKNOWN;
    }
  }
}
