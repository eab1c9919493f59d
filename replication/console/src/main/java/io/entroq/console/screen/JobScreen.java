package io.entroq.console.screen;

import io.entroq.console.action.Job;
import io.entroq.console.action.JobBook;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.List;

/** How far a job is. */
final class JobScreen implements Screen {
  private final JobBook jobs;

  JobScreen(JobBook jobs) {
    this.jobs = jobs;
  }

  @Override
  public Page show(Visit visit) {
    Job job =
        jobs.find(visit.text("id"))
            .orElseThrow(
                () ->
                    PageException.notFound(
                        "There is no such job any more. Jobs are forgotten when the server stops;"
                            + " what they have done stays done."));
    List<Part> parts = new ArrayList<>();
    parts.add(Part.Note.of(job.isOver() ? Part.Tone.DONE : Part.Tone.NOTE, job.progress()));
    if (!job.isOver() && visit.may(Role.OPERATOR)) {
      parts.add(
          new Part.Links("", List.of(new Link("Stop it", Places.action("stop", "id", job.id())))));
    }
    parts.add(
        new Part.Links(
            "Where to go next",
            List.of(
                new Link("Queues", PageUrls.to("/queues")),
                new Link("Dead letters", PageUrls.to("/dead")))));
    String self = job.isOver() ? "" : PageUrls.to("/job", "id", job.id());
    return new Page(job.title(), "Started by " + job.user() + ".", self, parts);
  }
}
