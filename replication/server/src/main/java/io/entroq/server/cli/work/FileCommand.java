package io.entroq.server.cli.work;

import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.workers.FileHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code work file} command. */
@Command(
    name = "file",
    header = "Write the value of each task into a file of its own.",
    description = {
      "",
      "A file is named after its task, or by a text in the value. It is written under another name,"
          + " forced to disk and renamed before its task is deleted. If the work is repeated, the"
          + " same file is written again.",
      "",
      "Nothing is written outside the directory: names that are absolute, have .. or lead through a"
          + " symbolic link are refused.",
      "",
      "A task whose name is refused is moved to its queue followed by /err, and so is one that could"
          + " not be written 20 times.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work file --data data -q reports --dir reports",
      "  entroq work file --data data -q reports --dir reports --name /path",
      "",
      "Exit status: 0 if --until-empty ended it; 1 if it failed; 2 if the command line is wrong;"
          + " 128 plus the signal number if a signal ended it."
    })
final class FileCommand extends HandlerCommand {
  @Mixin private OutboxOption outbox;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      required = true,
      description = "Directory for the files; it must exist.")
  private Path directory;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "What the names of files begin with. Default: task-.")
  private String prefix;

  @Option(
      names = "--name",
      paramLabel = "POINTER",
      description =
          "JSON Pointer to the text in the value that names the file, such as /path. Directories are"
              + " created. Default: the id of the task.")
  private String pointer;

  @Override
  Handler<Value> open() {
    if (!Files.isDirectory(directory.toAbsolutePath())) {
      throw usageError("--dir: %s is not a directory".formatted(directory));
    }
    if (prefix != null && pointer != null) {
      throw usageError("--prefix and --name cannot be combined");
    }
    FileHandler handler = FileHandler.into(directory);
    handler = prefix == null ? handler : handler.withPrefix(prefix);
    handler = pointer == null ? handler : handler.namedBy(pointer);
    return outbox.find().map(handler::withOutbox).orElse(handler);
  }
}
