package io.entroq.server.cli;

import io.entroq.server.log.JsonLines;
import io.entroq.server.log.LogReading;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that reads a log and prints JSON. */
abstract class LogToolCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The data directory.")
  private Path directory;

  @Mixin private DurabilityOption durability;

  @Override
  public final Integer call() {
    checkOptions();
    try (JsonLines lines = new JsonLines(spec.commandLine().getOut());
        LogReading reading = new LogReading(directory, durability.policy(), "log-" + spec.name())) {
      run(reading, lines);
      return 0;
    }
  }

  /**
   * Looks at the options before anything is read.
   *
   * @throws picocli.CommandLine.ParameterException if they make no sense
   */
  void checkOptions() {}

  /**
   * Reads and prints.
   *
   * @throws io.entroq.engine.log.LogException if the log is damaged or cannot be read
   */
  abstract void run(LogReading reading, JsonLines lines);
}
