package io.entroq.server.cli.work;

import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.server.settings.DurationConverter;
import io.entroq.workers.ProcessHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code work proc} command. */
@Command(
    name = "proc",
    header = "Run a program for each task, with its value on standard input.",
    description = {
      "",
      "The program gets JSON as text, and other bytes as they are. No shell is used, and tasks do"
          + " not choose the program. The result has {\"cmd\", \"dir\", \"env\", \"err\", \"stdout\","
          + " \"stderr\", \"exit\"}. It goes to the outbox if the exit status is 0, else to the errbox;"
          + " to the errbox followed by /failed-start if the program cannot be started.",
      "",
      "The program has no variables but those of --env and ENTROQ_QUEUE, ENTROQ_ATTEMPT and"
          + " ENTROQ_KEY. When the time is over, it is killed with its descendants.",
      "",
      "It may be run twice for a task. ENTROQ_KEY is the same each time.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work proc --data data -q texts -- wc -w",
      "  entroq work proc --data data -q pictures --env PATH --dir work -- ./scale.sh",
      "",
      "Exit status: 0 if --until-empty ended it; 1 if it failed; 2 if the command line is wrong;"
          + " 128 plus the signal number if a signal ended it."
    })
final class ProcCommand extends HandlerCommand {
  @Mixin private ResultOptions results;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The program and its arguments, after --.")
  private List<String> command;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Directory to run the program in. Default: the current one.")
  private Path directory = Path.of("");

  @Option(
      names = "--env",
      paramLabel = "NAME[=VALUE]",
      description = "Variable of the program; without a value, as this process has it. Repeatable.")
  private List<String> variables = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long the program may run. Default: 60.")
  private Duration timeout = ProcessHandler.TIMEOUT_DEFAULT;

  @Option(
      names = "--max-output",
      paramLabel = "BYTES",
      description =
          "How much of the end of standard output and standard error a result keeps, each at most"
              + " 524288. Default: 262144.")
  private int outputBytesMax = ProcessHandler.OUTPUT_BYTES_DEFAULT;

  @Override
  Handler<Value> open() throws IOException {
    if (!Files.isDirectory(directory.toAbsolutePath())) {
      throw usageError("--dir: %s is not a directory".formatted(directory));
    }
    return ProcessHandler.of(command, results.results())
        .in(directory)
        .with(environment())
        .withLimits(timeout, outputBytesMax);
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    for (String variable : variables) {
      int equals = variable.indexOf('=');
      if (equals >= 0) {
        environment.put(variable.substring(0, equals), variable.substring(equals + 1));
      } else if (System.getenv(variable) != null) {
        environment.put(variable, System.getenv(variable));
      } else {
        throw usageError("--env: %s is not set".formatted(variable));
      }
    }
    return environment;
  }

  @Override
  int retries() {
    return results.retries();
  }
}
