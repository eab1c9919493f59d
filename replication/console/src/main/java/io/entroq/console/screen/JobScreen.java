package io.entroq.console.screen;

import io.entroq.console.action.Job;
import io.entroq.console.action.JobBook;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.List;

/** The jobs of this process, and how far one of them is. */
final class JobScreen implements Screen {
  private static final String ALL = "/jobs";

  private final JobBook jobs;

  JobScreen(JobBook jobs) {
    this.jobs = jobs;
  }

  @Override
  public Page show(Visit visit) {
    String id = visit.text("id");
    return id.isEmpty() ? all(visit) : one(visit, id);
  }

  private Page one(Visit visit, String id) {
    Job job =
        jobs.find(id)
            .orElseThrow(
                () ->
                    PageException.notFound(
                        "There is no such job any more. Jobs are forgotten when the server stops;"
                            + " what they have done stays done."));
    List<Part> parts = new ArrayList<>();
    parts.add(Part.Note.of(job.isOver() ? Part.Tone.DONE : Part.Tone.NOTE, job.progress()));
    if (!job.isOver() && visit.may(Role.OPERATOR)) {
      parts.add(new Part.Links("", List.of(new Link("Stop it", stopUrl(job)))));
    }
    parts.add(
        new Part.Links(
            "Where to go next",
            List.of(
                new Link("All jobs", PageUrls.to(ALL)),
                new Link("Queues", PageUrls.to("/queues")),
                new Link("Dead letters", PageUrls.to("/dead")))));
    String self = job.isOver() ? "" : url(job);
    return new Page(job.title(), "Started by " + job.user() + ".", self, parts);
  }

  private static String url(Job job) {
    return PageUrls.to("/job", "id", job.id());
  }

  private static String stopUrl(Job job) {
    return Places.action("stop", "id", job.id());
  }

  private Page all(Visit visit) {
    List<Part> parts = new ArrayList<>();
    boolean seesAll = seesAll(visit, parts);
    List<Job> shown =
        jobs.list().stream().filter(job -> seesAll || job.user().equals(visit.claimant())).toList();
    parts.add(table("Running", shown.stream().filter(job -> !job.isOver()).toList(), visit));
    parts.add(table("Ended", shown.stream().filter(Job::isOver).toList(), visit));
    return new Page(
        "Jobs",
        "What takes longer than a page waits: redriving, deleting, clearing. The last 50 of this"
            + " process, the newest first.",
        PageUrls.to(ALL),
        parts);
  }

  /** Titles of jobs name queues, which only those may see who may see all queues. */
  private static boolean seesAll(Visit visit, List<Part> parts) {
    try {
      visit.reads().overview();
      return true;
    } catch (CallFailedException e) {
      parts.add(
          Part.Note.of(
              Part.Tone.NOTE, "Only your own are shown: %s.".formatted(e.refusal().message())));
      return false;
    }
  }

  private static Part table(String title, List<Job> jobs, Visit visit) {
    boolean canStop = visit.may(Role.OPERATOR) && jobs.stream().anyMatch(job -> !job.isOver());
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("Job"));
    columns.add(Column.of("How far"));
    columns.add(Column.of("Started by"));
    columns.add(Column.of("Began"));
    columns.add(Column.of("Took"));
    if (canStop) {
      columns.add(Column.of("What you can do"));
    }
    long nowMs = System.currentTimeMillis();
    List<List<Cell>> rows = new ArrayList<>();
    for (Job job : jobs) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.link(job.title(), url(job)));
      row.add(Cell.of(job.progress()).noted(isStopping(job) ? "stopping" : ""));
      row.add(Cell.of(job.user()));
      row.add(Cell.of(TimeText.at(job.beganMs())));
      row.add(
          Cell.of(
              TimeText.duration(
                  Math.max(0, (job.isOver() ? job.endedMs() : nowMs) - job.beganMs()))));
      if (canStop) {
        row.add(isStopping(job) ? Cell.of("") : Cell.link("Stop it", stopUrl(job)));
      }
      rows.add(row);
    }
    return new Part.Table(title, columns, rows, "None.");
  }

  private static boolean isStopping(Job job) {
    return job.isStopping() && !job.isOver();
  }
}
