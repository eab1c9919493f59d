package io.entroq.server.cli.admin;

import io.entroq.server.settings.DurationConverter;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** How long a command waits for members. */
final class WaitOption {
  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How long to wait: " + DurationConverter.FORMS + ". Default: 10m.")
  private Duration timeout;

  Duration timeout() {
    return timeout;
  }

  String timeoutText() {
    return DurationConverter.print(timeout);
  }

  /**
   * Asks again and again until something is done.
   *
   * @param interval between two questions
   * @param tooLate says what is wrong when the time is up
   * @return the exit status: success, or that of an interrupted command
   */
  int await(Duration interval, BooleanSupplier isDone, Supplier<String> tooLate) {
    long startNs = System.nanoTime();
    try (Interruption interruption = new Interruption("command")) {
      while (!isDone.getAsBoolean()) {
        if (System.nanoTime() - startNs > timeout.toNanos()) {
          throw new CommandException(tooLate.get());
        }
        interruption.pause(interval);
        if (interruption.isRequested()) {
          return Interruption.STATUS;
        }
      }
      return AdminCommand.STATUS_OK;
    }
  }
}
