package io.entroq.server.cli.work;

import io.entroq.server.cli.queue.options.QueueNameConverter;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option for a result that is inserted only if somebody wants it. */
final class OutboxOption {
  @Option(
      names = {"-o", "--outbox"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Queue for a task that names the file. Default: none is inserted.")
  private String outbox;

  Optional<String> find() {
    return Optional.ofNullable(outbox);
  }
}
