package io.entroq.console.action;

import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.web.PageException;
import io.entroq.console.web.Places;
import java.util.List;

/** Deletes all tasks of a queue. */
final class ClearAction implements Action {
  private final JobBook jobs;

  ClearAction(JobBook jobs) {
    this.jobs = jobs;
  }

  @Override
  public String path() {
    return "clear";
  }

  @Override
  public Role role() {
    return Role.ADMIN;
  }

  @Override
  public Page ask(Visit visit) {
    String queue = QueueAction.name(visit);
    return new Page(
        "Clear: queue " + queue,
        "",
        "",
        List.of(
            form(
                "Deletes all tasks of the queue but those that somebody works on. They cannot be"
                    + " brought back.",
                List.of(
                    Field.hidden("name", queue),
                    Field.line("typed", "Type the name of the queue", "", "It is: " + queue)),
                "Delete all tasks",
                new Link("Do nothing", Places.queue(queue)))));
  }

  @Override
  public ActionOutcome run(Visit visit) {
    String queue = QueueAction.name(visit);
    if (!visit.text("typed").equals(queue)) {
      throw PageException.invalid(
          "The name that you typed is not that of the queue, so nothing was done.");
    }
    Job job =
        jobs.start(
            "Clear queue " + queue,
            visit.claimant(),
            running -> new Deletion(visit, queue, running).all());
    return new ActionOutcome(StopAction.page(job));
  }
}
