package io.entroq.server.cli.queue;

import io.entroq.api.Arrival;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.server.cli.queue.action.LastingEffect;
import io.entroq.server.cli.queue.options.JsonValuesOption;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.options.TargetOptions;
import io.entroq.server.cli.queue.options.ValueConverter;
import io.entroq.server.cli.queue.print.TaskJson;
import io.entroq.server.settings.DurationConverter;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code ins} command. */
@Command(
    name = "ins",
    header = "Insert tasks into a queue.",
    description = {
      "",
      "Inserts a task per -v, all or none; without -v, one task without a value. Prints the"
          + " inserted tasks as a JSON array on one line. Numbers are IEEE doubles: integers are"
          + " exact up to 9007199254740991; put longer ones in a string.",
      "",
      "A data directory that does not exist is created, with a note on standard error.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq ins --data data -q inbox -v '{\"x\":1}'",
      "  entroq ins --data data -q inbox -v 1 -v 2 -v '\"c\"'    three tasks",
      "  entroq ins --data data -q later -i 1h30m              available later",
      "",
      "Exit status: 0 if the tasks were inserted; 1 if none was, or if they were but could not be"
          + " printed, as the message says; 2 if the command line is wrong."
    })
final class InsCommand extends TargetCommand implements LastingEffect {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      required = true,
      description = "Queue; created with its first task.")
  private String queueName;

  @Option(
      names = {"-v", "--val"},
      paramLabel = "JSON",
      converter = ValueConverter.class,
      description = "Value of a task, as JSON; '' for none. Repeatable.")
  private List<Value> values = List.of(Value.absent());

  @Option(
      names = {"-i", "--in"},
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Delay until the tasks become available: "
              + DurationConverter.FORMS
              + ". Default: none. Until then, changing or deleting them requires --force.")
  private Duration delay;

  @Mixin JsonValuesOption jsonValues;

  private Modification insertion;
  private int inserted;

  /** Builds the insertion, so that invalid tasks do not create a directory. */
  @Override
  void checkOptions() {
    Arrival arrival = delay == null ? Arrival.now() : Arrival.in(delay);
    Modification.Builder inserts = Modification.builder().claimant(claimant());
    for (Value value : values) {
      inserts.insert(Insert.into(queueName).withValue(value).withArrival(arrival));
    }
    insertion = inserts.build();
  }

  @Override
  EntroQ open(TargetOptions options) {
    return options.openOrCreate(this::noteNamed);
  }

  @Override
  int run(EntroQ queue) {
    List<Task> tasks = queue.modify(insertion).orThrow().inserted();
    inserted = tasks.size();
    try (JsonLines lines = json()) {
      lines.value(
          json -> {
            json.writeStartArray();
            for (Task task : tasks) {
              TaskJson.write(json, task);
            }
            json.writeEndArray();
          });
    }
    return STATUS_OK;
  }

  @Override
  public Optional<String> done() {
    return Optional.of(inserted)
        .filter(tasks -> tasks > 0)
        .map(
            tasks ->
                "%s %s inserted"
                    .formatted(Quantity.of(tasks, "task"), tasks == 1 ? "was" : "were"));
  }
}
