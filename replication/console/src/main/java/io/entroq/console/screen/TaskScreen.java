package io.entroq.console.screen;

import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.PositionResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.console.action.ActionOutcome;
import io.entroq.console.action.TaskAction;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.TaskWords;
import io.entroq.console.value.TimeText;
import io.entroq.console.value.ValueText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Fact;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Parameters;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** A task: all that is known of it, and what can be done with it. */
public final class TaskScreen implements Screen {
  private static final String PLACE = "place";

  @Override
  public boolean isSlow(Parameters parameters) {
    return TaskHistory.isAll(parameters);
  }

  @Override
  public Page show(Visit visit) {
    String id = visit.text("id");
    if (id.isEmpty()) {
      return new Page(
          "Find a task",
          "Enter the id of a task, as its insert returned it or a list shows it.",
          "",
          List.of(finder("")));
    }
    List<Part> parts = new ArrayList<>(ActionOutcome.notes(visit));
    Optional<Task> found = visit.reads().task(id);
    if (found.isPresent()) {
      addTask(parts, visit, found.get());
    } else {
      parts.add(
          Part.Note.of(
              Part.Tone.NOTE,
              visit.isPast()
                  ? "There was no such task then. What had happened to it is below."
                  : "There is no such task now. It may be done, or was deleted; what is known of"
                      + " it is below."));
    }
    parts.addAll(new TaskHistory(visit, id, found).parts());
    if (found.isEmpty()) {
      parts.add(finder(id));
    }
    return new Page(
        "Task " + id, "What the task holds, who works on it, and what happened to it.", "", parts);
  }

  private static Part.Form finder(String id) {
    return new Part.Form(
        "Find a task",
        "",
        false,
        PageUrls.to("/task"),
        List.of(Field.line("id", "Id of the task", id, "")),
        "Find",
        List.of());
  }

  private static void addTask(List<Part> parts, Visit visit, Task task) {
    long nowMs = visit.reads().timeMs();
    parts.add(new Part.Facts(visit.now(), facts(task, nowMs)));
    if (visit.may(Role.OPERATOR)) {
      parts.add(actions(visit, task, nowMs));
    }
    parts.add(place(visit, task, nowMs));
    if (!task.getErr().isEmpty()) {
      parts.add(new Part.Code("Error", "", task.getErr()));
    }
    ValueText value = ValueText.of(task, visit.mask());
    parts.add(
        value
            .tree()
            .<Part>map(tree -> new Part.Tree("Value", value.kind(), tree))
            .orElseGet(() -> new Part.Code("Value", value.kind(), value.text())));
  }

  private static Part actions(Visit visit, Task task, long nowMs) {
    if (TaskWords.isHeldByAnother(task, visit.claimant(), nowMs)) {
      return new Part.Note(
          Part.Tone.NOTE,
          "Only %s may change it until %s. After that, it can be retried, moved, edited and deleted"
                  .formatted(task.getClaimantId(), TimeText.at(task.getAtMs()))
              + " here.",
          List.of(link(TaskAction.TAKE_BACK, task)));
    }
    List<Link> links = new ArrayList<>();
    for (TaskAction action : EnumSet.complementOf(EnumSet.of(TaskAction.TAKE_BACK))) {
      links.add(link(action, task));
    }
    return new Part.Links("What you can do", links);
  }

  private static Link link(TaskAction action, Task task) {
    return new Link(action.label(), action.url(task));
  }

  /**
   * Where it stands in its queue, if that was asked: to find out takes a look at all tasks of it.
   */
  private static Part place(Visit visit, Task task, long nowMs) {
    if (visit.text(PLACE).isEmpty()) {
      Link ask =
          new Link(
              "Where does it stand in its queue?",
              PageUrls.to("/task", "id", task.getId(), PLACE, "yes"));
      return new Part.Links("", List.of(ask));
    }
    return Parts.oneOrWhyNot(
        "Its place in the queue",
        () ->
            Part.Note.of(
                Part.Tone.NOTE,
                place(
                    visit
                        .reads()
                        .ask(
                            Method.POSITION,
                            PositionRequest.newBuilder()
                                .setTaskId(task.getId())
                                .setQueue(task.getQueue())
                                .build()),
                    nowMs)));
  }

  private static String place(PositionResponse place, long nowMs) {
    String ahead =
        !place.getReady()
            ? "It is not ready to start."
            : place.hasAhead()
                ? "%,d ready tasks start before it.".formatted(place.getAhead())
                : "It is ready, and its queue has no order.";
    return place.getExpectedStartMs() == 0
        ? ahead
        : "%s It is expected to start %s."
            .formatted(ahead, TimeText.relative(place.getExpectedStartMs(), nowMs));
  }

  private static List<Fact> facts(Task task, long nowMs) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("State", Cell.of(TaskWords.state(task, nowMs))));
    facts.add(new Fact("Queue", Cell.link(task.getQueue(), Places.queue(task.getQueue()))));
    facts.add(new Fact("Failures so far", Cell.of(task.getAttempt())));
    facts.add(new Fact("Claimed so often", Cell.of(task.getClaims())));
    if (task.getLapses() > 0) {
      facts.add(new Fact("Leases that ended without an outcome", Cell.of(task.getLapses())));
    }
    if (!task.getClaimantId().isEmpty()) {
      facts.add(new Fact("Held now or last by", Cell.of(task.getClaimantId())));
    }
    facts.add(
        time(task.getAtMs() > nowMs ? "Available at" : "Available since", task.getAtMs(), nowMs));
    facts.add(time("Inserted", task.getCreatedMs(), nowMs));
    facts.add(time("Last claimed or changed", task.getModifiedMs(), nowMs));
    if (task.getExpiresMs() != 0) {
      facts.add(time("Expires", task.getExpiresMs(), nowMs));
    }
    if (task.getReason() != DeadReason.DEAD_NONE) {
      facts.add(new Fact("Died because", Cell.of(TaskWords.reason(task.getReason()))));
      facts.add(time("Died", task.getDeadAtMs(), nowMs));
      facts.add(
          new Fact("Came from queue", Cell.link(task.getOrigin(), Places.queue(task.getOrigin()))));
    }
    facts.add(new Fact("Version", Cell.of(task.getVersion())));
    if (!task.getTrace().isEmpty()) {
      facts.add(new Fact("Trace context", Cell.of(task.getTrace())));
    }
    return facts;
  }

  private static Fact time(String name, long timeMs, long nowMs) {
    return new Fact(name, Cell.of(TimeText.at(timeMs)).noted(TimeText.relative(timeMs, nowMs)));
  }
}
