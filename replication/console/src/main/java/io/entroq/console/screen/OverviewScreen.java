package io.entroq.console.screen;

import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.Problem;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.console.action.JobBook;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.view.Part.Fact;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** All queues together, what is wrong, and what has failed. */
final class OverviewScreen implements Screen {
  private static final int FAILURES = 10;
  private static final long MINUTE_MS = 60_000;

  private final String description;
  private final JobBook jobs;

  /**
   * @param description of the queue and its durability, for people
   * @param jobs that are counted
   */
  OverviewScreen(String description, JobBook jobs) {
    this.description = description;
    this.jobs = jobs;
  }

  @Override
  public Page show(Visit visit) {
    long nowMs = visit.reads().timeMs();
    List<Part> parts = new ArrayList<>();
    parts.addAll(Parts.orWhyNot("The figures", () -> figures(visit, nowMs)));
    parts.add(Parts.oneOrWhyNot("The failures", () -> FailureTable.of(visit, "", FAILURES, nowMs)));
    parts.add(Parts.oneOrWhyNot("The chart", () -> RateCharts.chart(visit, "")));
    return new Page("Overview", "This is " + description + ".", PageUrls.to(""), parts);
  }

  private List<Part> figures(Visit visit, long nowMs) {
    OverviewResponse overview = visit.reads().overview();
    QueueFigures all = overview.getAll();
    List<List<Cell>> problems = new ArrayList<>();
    for (Problem problem : overview.getProblemsList()) {
      String queue = problem.getQueue();
      problems.add(
          List.of(
              Cell.of(problem.getSeverity().equals("page") ? "Urgent" : "Soon"),
              queue.isEmpty()
                  ? Cell.link("the server", PageUrls.to("/cluster"))
                  : Cell.link(queue, Places.queue(queue)),
              Cell.of(problem.getText()).noted(problem.getAlert())));
    }
    boolean isCounted = !visit.isPast() || overview.getSinceMs() <= nowMs - MINUTE_MS;
    LongFunction<Cell> counted = count -> isCounted ? Cell.of(count) : Cell.of("not known");
    List<Fact> facts =
        new ArrayList<>(
            List.of(
                new Fact("Queues", Cell.link(count(overview.getQueues()), PageUrls.to("/queues"))),
                new Fact("Paused queues", Cell.of(overview.getQueuesPaused())),
                new Fact("Available", Cell.of(all.getReady())),
                new Fact("Claimed by workers", Cell.of(all.getInFlight())),
                new Fact("Resting", Cell.of(all.getResting())),
                new Fact("Not due yet", Cell.of(all.getFuture())),
                new Fact("Dead", Cell.link(count(overview.getDeadTasks()), PageUrls.to("/dead"))),
                new Fact(
                    "Oldest available task has waited",
                    Cell.of(
                        all.getOldestAgeMs() == 0
                            ? "no task waits"
                            : TimeText.duration(all.getOldestAgeMs()))),
                new Fact(
                    "Inserted in the last minute",
                    counted.apply(all.getLastMinute().getInserted())),
                new Fact(
                    "Started in the last minute", counted.apply(all.getLastMinute().getClaimed())),
                new Fact("Done in the last minute", counted.apply(all.getLastMinute().getDone())),
                new Fact(
                    "Failed in the last minute", counted.apply(all.getLastMinute().getFailed()))));
    if (!visit.isPast()) {
      facts.add(new Fact("Jobs that run", Cell.link(count(jobs.running()), PageUrls.to("/jobs"))));
    }
    return List.of(
        new Part.Table(
            "Problems",
            List.of(Column.of("Urgency"), Column.of("Where"), Column.of("What is wrong")),
            problems,
            visit.isPast()
                ? "Nothing was wrong with queues. How the server was is not known."
                : "Nothing is wrong."),
        new Part.Figures("All queues", facts),
        RateCharts.readAt(visit, overview.getReadMs(), nowMs));
  }

  private static String count(long number) {
    return Cell.of(number).text();
  }
}
