package io.entroq.server.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.redrive.ErrorShape;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveFilter;
import io.entroq.api.redrive.RedriveResult;
import io.entroq.server.cli.queue.options.ProgressOption;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.options.TaskName;
import io.entroq.server.cli.queue.print.RedriveText;
import io.entroq.server.cli.queue.print.TaskJson;
import io.entroq.server.settings.DurationConverter;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.WaitBar;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code redrive} command: runs a {@link Redrive}. */
@Command(
    name = "redrive",
    header = "Move tasks from a dead queue back to their queues.",
    description = {
      "",
      "Tasks that have failed too often are in a dead queue: QUEUE/err, or the one that the"
          + " policy of their queue names. This command moves them back to the queue that they"
          + " came from, available at once, with attempts, claims and errors cleared and values"
          + " unchanged. Without filters it moves all of them.",
      "",
      "A task that a worker moved by itself says nothing about its queue; it moves from QUEUE/err"
          + " to QUEUE. Named tasks that do not exist are reported at the end.",
      "",
      "Tasks move in atomic batches of up to 100. You can interrupt the command at any time and"
          + " run it again. It skips and counts tasks that are claimed, not due, or have just"
          + " changed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq redrive --data data -q inbox --dry-run",
      "  entroq redrive --data data -q inbox --err 'connection refused' --newer-than 2h",
      "  entroq redrive --data data -q inbox --shape 'timeout after # ms'",
      "  entroq redrive --data data -q inbox --rate 50 --limit 1000",
      "  entroq redrive --data data --from inbox/err --to slow -t 4b1fa52fd5b3cc0e",
      "  entroq redrive --data data --from dead --origin inbox --reason lapsed",
      "",
      "Exit status: 0 if it finished, even if it skipped tasks; 1 if it failed, or if a named"
          + " task does not exist; 2 if the command line is wrong; 130 if it was interrupted."
    })
final class RedriveCommand extends TargetCommand {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Queue whose dead tasks to move back. Required unless --from is given.")
  private String queueName;

  @Option(
      names = "--from",
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Dead queue. Default: the queue of -q plus /err.")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description =
          "Queue to move the tasks to. Default: where each came from; with both -q and --from, the"
              + " queue of -q.")
  private String to;

  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID[:VERSION]",
      converter = TaskName.Converter.class,
      description = "Only this task; repeatable.")
  private List<TaskName> names = List.of();

  @Option(
      names = "--err",
      paramLabel = "TEXT",
      description = "Only tasks whose error contains this text.")
  private String errText = "";

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      description =
          "Only tasks whose error has exactly this shape, as the console shows it: numbers and ids"
              + " are #, quoted text is \"...\". Empty: only tasks without an error.")
  private String shape;

  @Option(
      names = "--origin",
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Only tasks that the server moved from this queue.")
  private String origin;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description =
          "Only tasks that the server moved for this reason: failed, lapsed, expired or overflow.")
  private Task.DeadReason reason;

  @Option(
      names = "--no-origin",
      description = "Only tasks that a client moved, and not the server.")
  private boolean isWithoutOrigin;

  @Option(
      names = "--attempts",
      paramLabel = "N",
      description = "Only tasks that have failed at least so often. Default: 0.")
  private int attemptsMin;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Only tasks that have been dead for at least: " + DurationConverter.FORMS + ".")
  private Duration olderThan;

  @Option(
      names = "--newer-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Only tasks that have been dead for at most this long.")
  private Duration newerThan;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "Maximum number of tasks to move; 0: all. Default: 0.")
  private long limit;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Tasks per second; 0: as fast as possible. Default: 0.")
  private double rate;

  @Option(names = "--dry-run", description = "Move nothing; print what would be moved.")
  private boolean isDryRun;

  @Option(
      names = {"-j", "--json"},
      description = "Print the result as a JSON object; in a dry run, after a line per task.")
  private boolean isJson;

  @Mixin private ProgressOption progress;

  private Redrive plan;

  @Override
  void checkOptions() {
    if (queueName == null && from == null) {
      throw usageError("Missing -q QUEUE, or --from");
    }
    if (limit < 0) {
      throw usageError("-n %d must not be negative".formatted(limit));
    }
    if (!(rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
      throw usageError("--rate %s must be 0 or a positive number".formatted(rate));
    }
    if (attemptsMin < 0) {
      throw usageError("--attempts %d must not be negative".formatted(attemptsMin));
    }
    if (shape != null && shape.length() > ErrorShape.CHARS_MAX) {
      throw usageError(
          "--shape must have at most %d characters, has %d"
              .formatted(ErrorShape.CHARS_MAX, shape.length()));
    }
    if (isWithoutOrigin && (origin != null || reason != null)) {
      throw usageError("--no-origin selects no task that has an --origin or a --reason");
    }
    if (olderThan != null && newerThan != null && olderThan.compareTo(newerThan) > 0) {
      throw usageError("--older-than is longer than --newer-than, which selects no tasks");
    }
    String dead = from == null ? quarantine() : from;
    Optional<String> target = Optional.ofNullable(to == null && from != null ? queueName : to);
    if (target.equals(Optional.of(dead))) {
      throw usageError("%s is both --from and --to".formatted(dead));
    }
    plan = new Redrive(dead, target, List.of(), filter(), limit, rate, isDryRun, claimant());
  }

  private RedriveFilter filter() {
    return new RedriveFilter(
        errText,
        Optional.ofNullable(shape),
        Optional.ofNullable(origin),
        Optional.ofNullable(reason),
        isWithoutOrigin,
        attemptsMin,
        Optional.ofNullable(olderThan),
        Optional.ofNullable(newerThan));
  }

  /** The quarantine of the queue. Throws if the name is too long. */
  private String quarantine() {
    return TaskQuery.in(queueName + "/err").queue();
  }

  @Override
  int run(EntroQ queue) {
    Set<TaskName> missing = new LinkedHashSet<>();
    Set<TaskId> found = find(queue, missing);
    try (JsonLines lines = json()) {
      Run run = new Run(lines);
      if (names.isEmpty() || !found.isEmpty()) {
        run.of(queue, plan.ids(found));
      }
      if (isJson) {
        lines.line(json -> write(json, run.result, missing));
      } else {
        print(RedriveText.result(plan, run.result));
      }
    }
    if (interruption().isRequested()) {
      noteNamed("interrupted; run it again to continue");
      return Interruption.STATUS;
    }
    requireAllFound(missing);
    return STATUS_OK;
  }

  /** The named tasks: a user may name one both with its version and without. */
  private Set<TaskId> find(EntroQ queue, Set<TaskName> missing) {
    Set<TaskId> found = new LinkedHashSet<>();
    for (TaskName name : names) {
      name.find(queue, plan.from(), true)
          .ifPresentOrElse(task -> found.add(task.id()), () -> missing.add(name));
    }
    return found;
  }

  private void requireAllFound(Set<TaskName> missing) {
    if (!missing.isEmpty()) {
      String all = missing.stream().map(TaskName::toString).collect(Collectors.joining(", "));
      throw new CommandException("no such task in queue %s: %s".formatted(plan.from(), all));
    }
  }

  private long size(EntroQ queue) {
    return names.isEmpty()
        ? queue.queues(QueueQuery.named(plan.from())).getOrDefault(plan.from(), 0L)
        : names.size();
  }

  private WaitBar bar(long size) {
    return isDryRun
        ? progress.barBesideOutput("examining", size)
        : progress.barOfTasks("redriving", size);
  }

  private void write(JsonGenerator json, RedriveResult result, Set<TaskName> missing)
      throws IOException {
    json.writeStringField("from", plan.from());
    json.writeStringField("to", plan.to().orElse(null));
    json.writeBooleanField("dryRun", plan.isDryRun());
    json.writeBooleanField("interrupted", interruption().isRequested());
    json.writeNumberField("examined", result.examined());
    json.writeNumberField("matched", result.matched());
    json.writeNumberField("moved", result.moved());
    json.writeNumberField("held", result.held());
    json.writeNumberField("changed", result.changed());
    json.writeNumberField("unplaced", result.unplaced());
    json.writeObjectFieldStart("full");
    for (Map.Entry<String, Long> full : result.full().entrySet()) {
      json.writeNumberField(full.getKey(), full.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("missing");
    for (TaskName name : missing) {
      json.writeString(name.toString());
    }
    json.writeEndArray();
  }

  /** Runs the redrive and shows its progress. */
  private final class Run implements Redrive.Listener {
    private final JsonLines lines;
    private RedriveResult result = RedriveResult.NOTHING;
    private WaitBar bar;
    private boolean hasHeader;

    Run(JsonLines lines) {
      this.lines = lines;
    }

    void of(EntroQ queue, Redrive redrive) {
      try (WaitBar shown = bar(size(queue))) {
        bar = shown;
        redrive.run(queue, this);
      } catch (EntroQException.InvalidArgument e) {
        // The options are invalid; nothing was moved.
        throw e;
      } catch (EntroQException e) {
        throw new CommandException(
            "%s (already moved: %,d)".formatted(e.getMessage(), result.moved()), e);
      }
    }

    /** A named task may have changed since it was found. */
    @Override
    public boolean selects(Task task) {
      return names.isEmpty() || names.stream().anyMatch(name -> name.matches(task));
    }

    @Override
    public void onProgress(RedriveResult progress) {
      result = progress;
      bar.at(progress.examined());
    }

    @Override
    public boolean isStopped() {
      return interruption().isRequested();
    }

    @Override
    public void pause(Duration time) {
      interruption().pause(time);
    }

    @Override
    public void onMatch(Task task) {
      if (isJson) {
        lines.value(json -> TaskJson.write(json, task));
        return;
      }
      if (!hasHeader) {
        print(RedriveText.HEADER);
        hasHeader = true;
      }
      print(RedriveText.line(task));
    }
  }
}
