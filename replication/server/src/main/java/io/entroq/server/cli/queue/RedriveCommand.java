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
    header = "Moves tasks out of quarantine, back to where they are worked on.",
    description = {
      "",
      "A task that has failed too often is in the queue QUEUE/err. This moves tasks from there to QUEUE,"
          + " where they are available at once: their attempts and errors are forgotten, their values"
          + " stay. Without filters all of them are moved.",
      "",
      "Named tasks that are not there are named on the error output when all others are done.",
      "",
      "It works in batches of up to 100 tasks, each of them moved whole or not at all. It may be"
          + " interrupted at any time and be run again: what has been moved is no longer there to be"
          + " moved. Tasks that somebody else holds, or that change meanwhile, are left and counted.",
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
      "Exit status: 0 if it came to its end, whatever was left; 1 if it went wrong, or if a named task is"
          + " not there; 2 if the command line is wrong; 130 if it was interrupted."
    })
final class RedriveCommand extends TargetCommand {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Where the tasks were worked on. Needed unless --from and --to are given.")
  private String queueName;

  @Option(
      names = "--from",
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Where the tasks are. Default: the queue of -q, and /err.")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Where the tasks go. Default: the queue of -q.")
  private String to;

  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID[:VERSION]",
      converter = TaskName.Converter.class,
      description = "Only this task; may be given several times.")
  private List<TaskName> names = List.of();

  @Option(
      names = "--err",
      paramLabel = "TEXT",
      description = "Only tasks with this text in their errors.")
  private String errText = "";

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Only tasks that have been in quarantine for so long: " + DurationConverter.FORMS + ".")
  private Duration olderThan;

  @Option(
      names = "--newer-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Only tasks that have not been in quarantine for longer.")
  private Duration newerThan;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "How many tasks to move at most; 0 for all. Default: 0.")
  private long limit;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "How many tasks to move in a second; 0 for as many as can be. Default: 0.")
  private double rate;

  @Option(names = "--dry-run", description = "Move nothing, and show what would be moved.")
  private boolean isDryRun;

  @Option(
      names = {"-j", "--json"},
      description = "Print the result as a JSON object, in a dry run after a line for each task.")
  private boolean isJson;

  @Mixin private ProgressOption progress;

  private RedrivePlan plan;

  @Override
  void checkOptions() {
    if (queueName == null && (from == null || to == null)) {
      throw misused("Missing -q QUEUE, or both --from and --to");
    }
    if (limit < 0) {
      throw misused("-n %d is below 0".formatted(limit));
    }
    if (!(rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
      throw misused("--rate %s is not a number from 0 on".formatted(rate));
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
      throw misused("%s is both where the tasks are and where they go".formatted(plan.from()));
    }
    if (olderThan != null && newerThan != null && olderThan.compareTo(newerThan) > 0) {
      throw misused("--older-than is longer than --newer-than: that selects nothing");
    }
  }

  /** Refuses what the end of the name makes too long. */
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
      noteNamed("interrupted; run it again to go on");
      return Interruption.STATUS;
    }
    requireAllFound(missing);
    return STATUS_OK;
  }

  private void requireAllFound(List<TaskName> missing) {
    if (!missing.isEmpty()) {
      String all = missing.stream().map(TaskName::toString).collect(Collectors.joining(", "));
      throw new CommandException("not there in queue %s: %s".formatted(plan.from(), all));
    }
  }

  private Redrive redrive(EntroQ queue, JsonLines lines) {
    Shown shown = new Shown(lines);
    Redrive redrive = new Redrive(queue, plan, interruption(), shown);
    try (WaitBar bar = bar(redrive.size())) {
      shown.bar = bar;
      redrive.run();
    } catch (EntroQException.InvalidArgument e) {
      // It is about the options, and has moved nothing.
      throw e;
    } catch (EntroQException e) {
      throw new CommandException(
          "%s (%,d tasks had been moved by then)"
              .formatted(e.getMessage(), redrive.report().moved()),
          e);
    }
    return redrive;
  }

  private WaitBar bar(long size) {
    return isDryRun
        ? progress.barBesideOutput("looking", size)
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

  private final class Shown implements Redrive.Watcher {
    private final JsonLines lines;
    private WaitBar bar;
    private boolean isBegun;

    Shown(JsonLines lines) {
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
      if (!isBegun) {
        print(RedriveText.HEAD);
        isBegun = true;
      }
      print(RedriveText.line(task));
    }
  }
}
