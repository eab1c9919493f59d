package io.entroq.console.action;

import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.RedriveResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Redrives or deletes the dead tasks that a filter selects: counts them first, and then takes no
 * more than were counted.
 */
public final class DeadAction implements Action {
  private static final int TASKS_MAX = 10_000;

  private static final int CALL_TASKS = 1_000;

  /** Longer than a redrive takes at most. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final JobBook jobs;
  private final boolean isDeletion;

  private DeadAction(JobBook jobs, boolean isDeletion) {
    this.jobs = jobs;
    this.isDeletion = isDeletion;
  }

  /** Moves them back to where they came from. */
  static DeadAction redrive(JobBook jobs) {
    return new DeadAction(jobs, false);
  }

  /** Deletes them. */
  static DeadAction discard(JobBook jobs) {
    return new DeadAction(jobs, true);
  }

  /** The page that asks whether to redrive exactly the tasks of a group. */
  public static String redriveUrl(DeadGroup group) {
    return Places.action("redrive", DeadFilter.of(group).parameters());
  }

  /** The page that asks whether to delete exactly the tasks of a group. */
  public static String discardUrl(DeadGroup group) {
    return Places.action("discard", DeadFilter.of(group).parameters());
  }

  @Override
  public String path() {
    return isDeletion ? "discard" : "redrive";
  }

  @Override
  public boolean asksSlowly() {
    return true;
  }

  private String title(DeadFilter filter) {
    return (isDeletion ? "Delete dead tasks of " : "Redrive tasks of ")
        + filter.from()
        + filter.shape().map(shape -> shape.isEmpty() ? ", no error" : ": " + shape).orElse("");
  }

  @Override
  public Page ask(Visit visit) {
    DeadFilter filter = DeadFilter.of(visit);
    RedriveResponse dryRun =
        visit
            .reads(PATIENCE)
            .ask(
                Method.REDRIVE,
                filter
                    .redrive()
                    .setClaimantId(visit.claimant())
                    .setLimit(TASKS_MAX)
                    // Only tasks that died have a queue that they came from, and no others are
                    // deleted: this counts those.
                    .setTo(isDeletion ? "" : visit.text("to"))
                    .setDryRun(true)
                    .build());
    List<Part> parts = new ArrayList<>();
    long count = dryRun.getMatched() - (isDeletion ? dryRun.getUnplaced() : 0);
    if (count == 0) {
      parts.add(Part.Note.of(Part.Tone.NOTE, "This selects no task. Nothing would be done."));
    } else {
      parts.add(confirmation(filter, visit, dryRun, count));
    }
    parts.add(
        new Part.Form(
            "Select other tasks",
            "",
            false,
            Places.action(path()),
            filter.fields(),
            "Count them",
            List.of()));
    return new Page(title(filter), "", "", parts);
  }

  private Part confirmation(DeadFilter filter, Visit visit, RedriveResponse dryRun, long count) {
    List<Field> fields = new ArrayList<>(filter.hidden());
    fields.add(Field.hidden("limit", Long.toString(count)));
    if (!isDeletion) {
      fields.add(
          Field.line(
              "to", "Queue to move them to", visit.text("to"), "Empty: where each came from."));
      fields.add(
          Field.number("rate", "How many a second at most", "", "Empty: as many as possible."));
    }
    String many = count == TASKS_MAX ? "The first %,d tasks".formatted(count) : tasks(count);
    String what =
        isDeletion
            ? many + " would be deleted. They cannot be brought back."
            : many
                + " would go back and be available at once, with failures, claims and errors"
                + " cleared.";
    String stay =
        dryRun.getUnplaced() == 0
            ? ""
            : " %,d of them stay, because nothing says where they came from."
                .formatted(dryRun.getUnplaced());
    return new Part.Form(
        "This was counted; nothing is done yet",
        what + (isDeletion ? "" : stay),
        true,
        Places.action(path()),
        fields,
        isDeletion ? "Delete them" : "Redrive them",
        List.of(new Link("Do nothing", PageUrls.to("/dead", "queue", filter.from()))));
  }

  private static String tasks(long count) {
    return count == 1 ? "1 task" : "%,d tasks".formatted(count);
  }

  @Override
  public ActionOutcome run(Visit visit) {
    DeadFilter filter = DeadFilter.of(visit);
    int limit = visit.number("limit", 1, TASKS_MAX);
    int rate = visit.text("rate").isEmpty() ? 0 : visit.number("rate", 0, 1_000_000);
    Job job =
        jobs.start(
            title(filter),
            visit.claimant(),
            running ->
                isDeletion
                    ? new Deletion(visit, filter.from(), running)
                        .matching(task -> isDead(task) && filter.selects(task), limit)
                    : redrive(visit, filter, limit, rate, running));
    return new ActionOutcome(StopAction.page(job));
  }

  /** Others may wait in the queue, too: an operator must not delete what has not failed. */
  private static boolean isDead(Task task) {
    return !TaskAction.home(task).isEmpty();
  }

  private static String redrive(Visit visit, DeadFilter filter, int limit, int rate, Job job) {
    long moved = 0;
    RedriveResponse last;
    do {
      last =
          visit
              .reads(PATIENCE)
              .ask(
                  Method.REDRIVE,
                  filter
                      .redrive()
                      .setClaimantId(visit.claimant())
                      .setTo(visit.text("to"))
                      .setLimit((int) Math.min(CALL_TASKS, limit - moved))
                      .setRate(rate)
                      .build());
      moved += last.getMoved();
      job.progress(moved == 1 ? "1 task moved back." : "%,d tasks moved back.".formatted(moved));
    } while (moved < limit && last.getMoved() > 0 && !last.getComplete() && !job.isStopping());
    String stay =
        last.getHeld() + last.getUnplaced() + last.getFullCount() == 0
            ? ""
            : " Some stay: %,d are held, of %,d nobody knows where they came from, %,d queues are"
                    .formatted(last.getHeld(), last.getUnplaced(), last.getFullCount())
                + " full.";
    return job.progress() + stay + (job.isStopping() ? " It was stopped." : " It is done.");
  }
}
