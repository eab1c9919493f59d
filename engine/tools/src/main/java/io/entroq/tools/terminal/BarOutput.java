package io.entroq.tools.terminal;

import java.io.IOException;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * Draws progress bars on standard error.
 *
 * <p>By default, the library reads the width from a terminal that resets the handler of Ctrl-C, so
 * that Ctrl-C would kill the process without {@link Interruption}.
 */
public final class BarOutput {
  private static final int COLUMNS_LEAST = 10;
  private static final int COLUMNS_UNKNOWN = 80;

  private BarOutput() {}

  /** Uses the terminal's current width, except the last column. */
  public static ProgressBarConsumer open() {
    return new ConsoleProgressBarConsumer(System.err, columns() - 1);
  }

  private static int columns() {
    try (Terminal terminal = TerminalBuilder.builder().dumb(true).nativeSignals(false).build()) {
      int columns = terminal.getWidth();
      return columns < COLUMNS_LEAST ? COLUMNS_UNKNOWN : columns;
    } catch (IOException | IllegalStateException e) {
      // IllegalStateException: no terminal can be opened during shutdown.
      return COLUMNS_UNKNOWN;
    }
  }
}
