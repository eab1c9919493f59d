package io.entroq.server.cli.log;

import io.entroq.engine.log.RecordsRemovedException;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogReading;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that reads a log and prints JSON. */
abstract class LogToolCommand implements Callable<Integer> {
  /** Attempts while a running engine deletes segments that are about to be read. */
  private static final int ATTEMPTS_MAX = 4;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Data directory.")
  private Path directory;

  @Mixin private DurabilityOption durability;

  @Override
  public final Integer call() {
    checkOptions();
    for (int attempt = 1; ; attempt++) {
      try {
        read();
        return 0;
      } catch (RecordsRemovedException e) {
        if (!printsAtEnd() || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  private void read() {
    try (JsonLines lines = new JsonLines(spec.commandLine().getOut());
        LogReading reading = new LogReading(directory, durability.policy(), "log-" + spec.name())) {
      run(reading, lines);
    }
  }

  /** Prints a warning about damage that does not stop an engine. */
  void warn(String warning) {
    PlainLine.print(spec.commandLine().getErr(), "Warning: " + warning);
  }

  /**
   * Checks the options before anything is read.
   *
   * @throws picocli.CommandLine.ParameterException if they are invalid
   */
  void checkOptions() {}

  /**
   * Whether it prints only after it has read everything. It can then start over if a running engine
   * deletes a segment in the meantime.
   */
  abstract boolean printsAtEnd();

  /**
   * Reads the log and prints the result.
   *
   * @throws io.entroq.engine.log.LogException if the log is damaged or cannot be read
   */
  abstract void run(LogReading reading, JsonLines lines);
}
