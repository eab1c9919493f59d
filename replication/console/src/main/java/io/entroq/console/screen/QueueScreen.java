package io.entroq.console.screen;

import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.QueueStats;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.console.action.ActionOutcome;
import io.entroq.console.action.QueueAction;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.ErrText;
import io.entroq.console.value.TaskWords;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.view.Part.Fact;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A queue: its figures, its policy, and some of its tasks. */
public final class QueueScreen implements Screen {
  private static final int FAILURES = 10;
  private static final int SAMPLE_TASKS = 20;

  @Override
  public Page show(Visit visit) {
    String name = visit.text("name");
    if (name.isEmpty()) {
      throw PageException.invalid("Name a queue.");
    }
    List<Part> parts = new ArrayList<>(ActionOutcome.notes(visit));
    int begin = parts.size();
    long nowMs = visit.reads().timeMs();
    Optional<QueueStats> stats = visit.reads().stats(List.of(name)).stream().findFirst();
    if (stats.isPresent()) {
      addState(parts, visit.now(), stats.get(), nowMs);
    } else {
      parts.add(
          Part.Note.of(
              Part.Tone.NOTE,
              visit.isPast()
                  ? "There were no tasks in it then."
                  : "There are no tasks in it now. A queue exists as soon as a task is inserted"
                      + " into it."));
    }
    int state = parts.size();
    parts.addAll(Parts.orWhyNot("Whether its tasks are dead", () -> deadTasks(visit, name)));
    parts.add(Parts.oneOrWhyNot("The chart", () -> RateCharts.chart(visit, name)));
    parts.add(
        Parts.oneOrWhyNot("The failures", () -> FailureTable.of(visit, name, FAILURES, nowMs)));
    parts.add(Parts.oneOrWhyNot("The tasks", () -> sample(visit, name, nowMs)));
    parts.add(Parts.oneOrWhyNot("Who waits", () -> WaiterTable.of(visit, name, nowMs)));
    parts.addAll(Parts.orWhyNot("The policy", () -> PolicyParts.of(visit, name, nowMs)));
    // Asked last: without an answer about policies, the time of the page is up.
    long pausedUntilMs = stats.map(QueueStats::getPausedUntilMs).orElse(0L);
    long ownUntilMs = ownPauseMs(visit, name, pausedUntilMs);
    if (visit.may(Role.OPERATOR)) {
      parts.add(state, actions(visit, name, ownUntilMs != 0));
    }
    boolean mayBePaused = pausedUntilMs != 0 || stats.isEmpty();
    parts.addAll(begin, pauses(visit, name, mayBePaused, Math.max(pausedUntilMs, ownUntilMs)));
    return new Page(
        "Queue " + name, "What waits in the queue, and by which rules.", Places.queue(name), parts);
  }

  private static void addState(List<Part> parts, String now, QueueStats stats, long nowMs) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("Tasks", Cell.of(stats.getNumTasks())));
    facts.add(new Fact("Available", Cell.of(stats.getNumAvailable())));
    facts.add(new Fact("Claimed by workers", Cell.of(stats.getInFlight())));
    facts.add(new Fact("Held back or resting", Cell.of(resting(stats))));
    facts.add(new Fact("Not due yet", Cell.of(stats.getNumFuture())));
    facts.add(
        new Fact(
            "Oldest available task has waited",
            Cell.of(
                stats.hasOldestAvailableMs()
                    ? TimeText.duration(stats.getOldestAvailableMs())
                    : "no task waits")));
    facts.add(new Fact("Most claims of one task", Cell.of(stats.getMaxClaims())));
    facts.add(new Fact("Leases that ended without an outcome", Cell.of(stats.getLapsed())));
    facts.add(new Fact("Tasks that have died here", Cell.of(stats.getDead())));
    if (stats.getNextStartMs() > nowMs) {
      facts.add(
          new Fact(
              "Its rules let the next task start",
              Cell.of(TimeText.relative(stats.getNextStartMs(), nowMs))));
    }
    parts.add(new Part.Figures(now, facts));
  }

  /**
   * What pauses the queue.
   *
   * @param mayBePaused whether a prefix may do so; always for a queue without tasks, which has no
   *     figures
   * @param untilMs 0 if nothing is known to
   */
  private static List<Part> pauses(Visit visit, String name, boolean mayBePaused, long untilMs) {
    List<Part> parts = new ArrayList<>();
    if (untilMs != 0) {
      parts.add(pause(untilMs));
    }
    parts.addAll(Parts.orWhyNot("Its pools", () -> PolicyParts.above(visit, name, mayBePaused)));
    return parts;
  }

  private static Part pause(long untilMs) {
    return Part.Note.of(
        Part.Tone.PROBLEM,
        untilMs == Long.MAX_VALUE
            ? "The queue is paused until somebody resumes it."
            : "The queue is paused until " + TimeText.at(untilMs) + ".");
  }

  /** Until when the queue itself is paused; if that is not known, until when it is at all. */
  private static long ownPauseMs(Visit visit, String name, long pausedUntilMs) {
    try {
      return visit
          .reads()
          .policy(PolicyKind.POLICY_QUEUE, name)
          .map(PolicyState::getPausedUntilMs)
          .orElse(0L);
    } catch (CallFailedException e) {
      return pausedUntilMs;
    }
  }

  private static Part actions(Visit visit, String name, boolean isPaused) {
    List<Link> links = new ArrayList<>();
    links.add(QueueAction.INSERT.link(name));
    links.add((isPaused ? QueueAction.RESUME : QueueAction.PAUSE).link(name));
    if (visit.may(Role.ADMIN)) {
      links.add(new Link("Edit its policy", Places.action("policy", "name", name)));
      links.add(new Link("Clear it", Places.action("clear", "name", name)));
    }
    return new Part.Links("What you can do", links);
  }

  /** Where to go with the tasks of a dead queue; nothing for other queues. */
  private static List<Part> deadTasks(Visit visit, String name) {
    boolean isDead =
        visit
            .reads()
            .ask(Method.SEARCH_QUEUES, SearchQueuesRequest.newBuilder().addName(name).build())
            .getQueuesList()
            .stream()
            .anyMatch(QueueFigures::getDeadQueue);
    return isDead
        ? List.of(
            new Part.Note(
                Part.Tone.NOTE,
                "Tasks come here because they have failed for good.",
                List.of(
                    new Link(
                        "See why, and redrive or delete them",
                        PageUrls.to("/dead", "queue", name)))))
        : List.of();
  }

  private static Part sample(Visit visit, String name, long nowMs) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Task task : visit.reads().sample(name, SAMPLE_TASKS)) {
      rows.add(
          List.of(
              Cell.link(task.getId(), Places.task(task.getId())),
              Cell.of(TaskWords.shortState(task, nowMs)),
              Cell.of(task.getAttempt()),
              Cell.of(task.getClaims()),
              Cell.of(TimeText.ago(task.getCreatedMs(), nowMs)),
              Cell.of(task.getClaimantId()),
              Cell.of(ErrText.line(task.getErr()))));
    }
    return new Part.Table(
        rows.size() < SAMPLE_TASKS ? "Tasks" : "Some of its tasks",
        List.of(
            Column.of("Task"),
            Column.of("State"),
            Column.number("Failures"),
            Column.number("Claims"),
            Column.of("Inserted"),
            Column.of("Held by"),
            Column.of("Error")),
        rows,
        "There are no tasks.");
  }

  /** Tasks that were claimed before and are neither available nor worked on. */
  private static long resting(QueueStats stats) {
    return Math.max(0, stats.getNumClaimed() - stats.getInFlight());
  }
}
