package io.entroq.console.action;

import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import java.util.List;

/** Ends a job. */
final class StopAction implements Action {
  private final JobBook jobs;

  StopAction(JobBook jobs) {
    this.jobs = jobs;
  }

  @Override
  public String path() {
    return "stop";
  }

  @Override
  public Page ask(Visit visit) {
    Job job = job(visit);
    return new Page(
        "Stop: " + job.title(),
        "",
        "",
        List.of(
            form(
                "Ends it soon. What it has done stays done.",
                List.of(Field.hidden("id", job.id())),
                "Stop",
                new Link("Let it go on", page(job)))));
  }

  @Override
  public ActionOutcome run(Visit visit) {
    Job job = job(visit);
    job.stop();
    return new ActionOutcome(page(job));
  }

  private Job job(Visit visit) {
    return jobs.find(visit.text("id"))
        .orElseThrow(() -> PageException.invalid("There is no such job any more."));
  }

  static String page(Job job) {
    return PageUrls.to("/job", "id", job.id());
  }
}
