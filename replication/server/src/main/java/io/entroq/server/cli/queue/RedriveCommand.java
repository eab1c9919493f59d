package io.entroq.server.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.server.cli.queue.action.Redrive;
import io.entroq.server.cli.queue.action.RedriveFilter;
import io.entroq.server.cli.queue.action.RedrivePlan;
import io.entroq.server.cli.queue.action.RedriveReport;
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
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code redrive} command: see {@link Redrive}. */
@Command(
    name = "redrive",
    header = "Move tasks from quarantine back to their queue.",
    description = {
      "",
      "Tasks that have failed too often are quarantined in the queue QUEUE/err. This command moves"
          + " them back to QUEUE, available at once, with attempts and errors cleared and values"
          + " unchanged. Without filters it moves all of them.",
      "",
      "Named tasks that do not exist are reported at the end.",
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
      "  entroq redrive --data data -q inbox --rate 50 --limit 1000",
      "  entroq redrive --data data --from inbox/err --to slow -t 4b1fa52fd5b3cc0e",
      "",
      "Exit status: 0 if it finished, even if it skipped tasks; 1 if it failed, or if a named"
          + " task does not exist; 2 if the command line is wrong; 130 if it was interrupted."
    })
final class RedriveCommand extends TargetCommand {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Queue to move the tasks to. Required unless --from and --to are given.")
  private String queueName;

  @Option(
      names = "--from",
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Quarantine queue. Default: the queue of -q plus /err.")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Queue to move the tasks to. Default: the queue of -q.")
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
      names = "--older-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Only tasks that have been in quarantine for at least: " + DurationConverter.FORMS + ".")
  private Duration olderThan;

  @Option(
      names = "--newer-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Only tasks that have been in quarantine for at most this long.")
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

  private RedrivePlan plan;

  @Override
  void checkOptions() {
    if (queueName == null && (from == null || to == null)) {
      throw usageError("Missing -q QUEUE, or both --from and --to");
    }
    if (limit < 0) {
      throw usageError("-n %d must not be negative".formatted(limit));
    }
    if (!(rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
      throw usageError("--rate %s must be 0 or a positive number".formatted(rate));
    }
    plan =
        new RedrivePlan(
            from == null ? quarantine() : from,
            to == null ? queueName : to,
            names,
            new RedriveFilter(
                errText, Optional.ofNullable(olderThan), Optional.ofNullable(newerThan)),
            limit,
            rate,
            isDryRun,
            claimant());
    if (plan.from().equals(plan.to())) {
      throw usageError("%s is both --from and --to".formatted(plan.from()));
    }
    if (olderThan != null && newerThan != null && olderThan.compareTo(newerThan) > 0) {
      throw usageError("--older-than is longer than --newer-than, which selects no tasks");
    }
  }

  /** The quarantine of the queue. Throws if the name is too long. */
  private String quarantine() {
    return TaskQuery.in(queueName + "/err").queue();
  }

  @Override
  int run(EntroQ queue) {
    List<TaskName> missing;
    try (JsonLines lines = json()) {
      Redrive redrive = redrive(queue, lines);
      missing = redrive.missing();
      if (isJson) {
        lines.line(json -> write(json, redrive));
      } else {
        print(RedriveText.result(plan, redrive.report()));
      }
    }
    if (interruption().isRequested()) {
      noteNamed("interrupted; run it again to continue");
      return Interruption.STATUS;
    }
    requireAllFound(missing);
    return STATUS_OK;
  }

  private void requireAllFound(List<TaskName> missing) {
    if (!missing.isEmpty()) {
      String all = missing.stream().map(TaskName::toString).collect(Collectors.joining(", "));
      throw new CommandException("no such task in queue %s: %s".formatted(plan.from(), all));
    }
  }

  private Redrive redrive(EntroQ queue, JsonLines lines) {
    ProgressPrinter printer = new ProgressPrinter(lines);
    Redrive redrive = new Redrive(queue, plan, interruption(), printer);
    try (WaitBar bar = bar(redrive.size())) {
      printer.bar = bar;
      redrive.run();
    } catch (EntroQException.InvalidArgument e) {
      // The options are invalid; nothing was moved.
      throw e;
    } catch (EntroQException e) {
      throw new CommandException(
          "%s (%,d tasks were already moved)".formatted(e.getMessage(), redrive.report().moved()),
          e);
    }
    return redrive;
  }

  private WaitBar bar(long size) {
    return isDryRun
        ? progress.barBesideOutput("examining", size)
        : progress.barOfTasks("redriving", size);
  }

  private void write(JsonGenerator json, Redrive redrive) throws IOException {
    RedriveReport report = redrive.report();
    json.writeStringField("from", plan.from());
    json.writeStringField("to", plan.to());
    json.writeBooleanField("dryRun", plan.isDryRun());
    json.writeBooleanField("interrupted", interruption().isRequested());
    json.writeNumberField("examined", report.examined());
    json.writeNumberField("matched", report.matched());
    json.writeNumberField("moved", report.moved());
    json.writeNumberField("held", report.held());
    json.writeNumberField("changed", report.changed());
    json.writeArrayFieldStart("missing");
    for (TaskName name : redrive.missing()) {
      json.writeString(name.toString());
    }
    json.writeEndArray();
  }

  private final class ProgressPrinter implements Redrive.Listener {
    private final JsonLines lines;
    private WaitBar bar;
    private boolean hasHeader;

    ProgressPrinter(JsonLines lines) {
      this.lines = lines;
    }

    @Override
    public void onExamined(long examined) {
      bar.at(examined);
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
