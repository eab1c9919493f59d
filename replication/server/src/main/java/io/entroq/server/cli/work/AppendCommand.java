package io.entroq.server.cli.work;

import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.workers.AppendHandler;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code work append} command. */
@Command(
    name = "append",
    header = "Append each task to a file, one line of JSON each.",
    description = {
      "",
      "A line has {\"id\", \"queue\", \"created\", \"value\"}, or \"bytes\" in base64 if the value is not"
          + " JSON. It is forced to disk before its task is deleted.",
      "",
      "If the work on a task is repeated, its line is not appended again if it is among the last"
          + " 10,000. So a task has two lines only if several appenders work on its queue, or if it"
          + " is repeated very late. One process at a time can append to a file.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work append --data data -q journal --file journal.jsonl",
      "",
      "Exit status: 0 if --until-empty ended it; 1 if it failed; 2 if the command line is wrong;"
          + " 128 plus the signal number if a signal ended it."
    })
final class AppendCommand extends HandlerCommand {
  @Mixin private OutboxOption outbox;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      required = true,
      description = "The file; it is created in a directory that exists.")
  private Path file;

  @Option(
      names = "--max-file",
      paramLabel = "BYTES",
      description =
          "Rename a file that has this size to FILE.1, FILE.2 and so on, and begin a new one; 0 for"
              + " never. Default: 0.")
  private long fileBytesMax;

  @Override
  Handler<Value> open() throws IOException {
    AppendHandler handler = AppendHandler.to(file, fileBytesMax);
    return outbox.find().map(handler::withOutbox).orElse(handler);
  }
}
