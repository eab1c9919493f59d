package io.entroq.server.cli.history;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.TaskId;
import io.entroq.api.feed.EffectFold;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.TaskChanges;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.server.cli.queue.options.PointText;
import io.entroq.server.cli.queue.print.TextTable;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The {@code diff} command. */
@Command(
    name = "diff",
    header = "Print which tasks changed between two points of the past.",
    description = {
      "",
      "Prints a line for each task that anything happened to between two points, in the order of the"
          + " first effect: whether it was created, is gone, moved or changed; its queue at the"
          + " first point and its last one; its last version; and how often it was claimed, failed"
          + " and lapsed. A point is the sequence of a record, after which it is, or a time, after"
          + " the last record of that time.",
      "",
      "Of a directory, a task that is once in the queues of -q is followed wherever it goes; of a"
          + " server, only what happens to it in these queues is seen.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq diff -s localhost:37706 700 731",
      "  entroq diff --data data 700 731",
      "  entroq diff --data data 2026-11-23T08:00Z 2026-11-23T09:00Z -q 'inbox/*'",
      "",
      "Exit status: 0 if it succeeded; 1 if the history is damaged or cannot be read, or if more"
          + " than 1,000,000 tasks changed; 2 if the command line is wrong; 130 if it was"
          + " interrupted."
    })
public final class DiffCommand extends HistoryCommand {
  private static final int TASKS_MAX = 1_000_000;

  @Mixin private PastOptions source;

  @Mixin private QueueSelection queues;

  @Parameters(
      index = "0",
      paramLabel = "A",
      converter = PointText.Converter.class,
      description = "First point.")
  private PointText first;

  @Parameters(
      index = "1",
      paramLabel = "B",
      converter = PointText.Converter.class,
      description = "Second point.")
  private PointText second;

  private final EffectFold fold = new EffectFold(TASKS_MAX);

  @Override
  void checkOptions() {
    source.check(spec().commandLine(), durability().isGiven());
    if (EffectBound.of(second.point()).isBefore(EffectBound.of(first.point()))) {
      throw usageError("%s is before %s".formatted(second.text(), first.text()));
    }
  }

  @Override
  Path data() {
    return source.data();
  }

  @Override
  public Integer call() {
    return source.isServer() ? callServer(source, this::runServer) : super.call();
  }

  private boolean runServer(ServerPast past, JsonLines lines) {
    long last = past.range().last();
    HistoryPoint until = second.point();
    if (until.timeMs() == Long.MAX_VALUE && until.sequence() > last) {
      throw new CommandException(
          "there is no record %,d: the log ends with record %,d".formatted(until.sequence(), last));
    }
    FeedQuery.Builder query = EffectBound.of(first.point()).beginAfter();
    EffectBound.of(until).end(query);
    queues.addTo(query);
    boolean isWhole = past.read(query.build(), fold::add);
    if (isWhole) {
      print(lines);
    }
    return isWhole;
  }

  @Override
  void run(JsonLines lines) {
    long unused = read(first.point(), second.point(), this::add);
    print(lines);
  }

  private void add(EffectReader effect) {
    // A task that is of these queues once is followed wherever it goes.
    if (effect.isOfTask()
        && (fold.has(TaskId.of(EffectFields.id(effect))) || queues.selects(effect))) {
      fold.add(EffectFields.taskEffect(effect));
    }
  }

  private void print(JsonLines lines) {
    if (isJson()) {
      fold.tasks().forEach(task -> lines.line(json -> write(task, json)));
      return;
    }
    TextTable table =
        new TextTable(
            "CHANGE", "TASK", "FROM QUEUE", "QUEUE", "VERSION", "CLAIMED", "FAILED", "LAPSED");
    fold.tasks().forEach(task -> table.row(row(task)));
    table.lines().forEach(this::print);
  }

  private static String change(TaskChanges task) {
    return task.change().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Object[] row(TaskChanges task) {
    return new Object[] {
      change(task),
      task.last().id().text(),
      task.firstQueue().orElse("-"),
      task.last().queue(),
      task.last().version(),
      task.claims(),
      task.failures(),
      task.lapses()
    };
  }

  /** Writes the members of an object. */
  private static void write(TaskChanges task, JsonGenerator json) throws IOException {
    json.writeStringField("id", task.last().id().text());
    json.writeStringField("change", change(task));
    if (task.firstQueue().isPresent()) {
      json.writeStringField("formerQueue", task.firstQueue().get());
    }
    json.writeStringField("queue", task.last().queue());
    json.writeNumberField("claimed", task.claims());
    json.writeNumberField("failed", task.failures());
    json.writeNumberField("lapsed", task.lapses());
    json.writeNumberField("version", task.last().version());
    json.writeStringField("at", task.last().arrivalTime().toString());
    json.writeNumberField("attempt", task.last().attempt());
    json.writeStringField("err", task.last().err());
  }
}
