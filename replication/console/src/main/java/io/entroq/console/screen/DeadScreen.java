package io.entroq.console.screen;

import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadLettersRequest;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.console.action.DeadAction;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.TaskWords;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;

/** Tasks that have failed for good, by queue, reason and what their errors have in common. */
final class DeadScreen implements Screen {
  @Override
  public Page show(Visit visit) {
    String queue = visit.text("queue");
    long nowMs = visit.reads().timeMs();
    DeadLettersResponse dead =
        visit
            .reads()
            .ask(Method.DEAD_LETTERS, DeadLettersRequest.newBuilder().setQueue(queue).build());
    List<Part> parts = new ArrayList<>();
    parts.add(queues(visit, dead));
    if (!queue.isEmpty() && visit.may(Role.OPERATOR)) {
      parts.add(
          new Part.Links(
              "What you can do with tasks of " + queue,
              List.of(
                  new Link("Redrive: move them back", Places.action("redrive", "from", queue)),
                  new Link("Delete them", Places.action("discard", "from", queue)),
                  new Link("Jobs that run", PageUrls.to("/jobs")))));
    }
    parts.add(groups(dead, visit.may(Role.OPERATOR), nowMs));
    return new Page(
        queue.isEmpty() ? "Dead letters" : "Dead letters in " + queue,
        "Tasks that failed for good wait here until somebody redrives or deletes them.",
        "",
        parts);
  }

  private static Part queues(Visit visit, DeadLettersResponse dead) {
    List<List<Cell>> rows = new ArrayList<>();
    for (DeadQueue queue : dead.getQueuesList()) {
      rows.add(
          List.of(
              Cell.link(queue.getName(), PageUrls.to("/dead", "queue", queue.getName())),
              Cell.of(queue.getTasks())
                  .noted(
                      queue.getLookedAt() < queue.getTasks()
                          ? "%,d were looked at".formatted(queue.getLookedAt())
                          : ""),
              growth(visit, queue.getGrowth30M()),
              growth(visit, queue.getGrowth60M())));
    }
    return new Part.Table(
        "Queues with dead tasks",
        List.of(
            Column.of("Queue"),
            Column.number("Tasks"),
            Column.number("In 30 minutes"),
            Column.number("In an hour")),
        rows,
        "There are no dead tasks.");
  }

  private static Cell growth(Visit visit, long tasks) {
    // Of then, zero is also what nobody knows.
    return Cell.of(visit.isPast() && tasks == 0 ? "" : "%+,d".formatted(tasks));
  }

  private static Part groups(DeadLettersResponse dead, boolean canOperate, long nowMs) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("Queue"));
    columns.add(Column.of("Came from"));
    columns.add(Column.of("Died because"));
    columns.add(Column.of("Error"));
    columns.add(Column.number("Tasks"));
    columns.add(Column.of("Newest"));
    columns.add(Column.of("Example"));
    if (canOperate) {
      columns.add(Column.of("Move back"));
      columns.add(Column.of("Delete"));
    }
    List<List<Cell>> rows = new ArrayList<>();
    for (DeadGroup group : dead.getGroupsList()) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.link(group.getQueue(), PageUrls.to("/dead", "queue", group.getQueue())));
      row.add(Cell.of(group.getOrigin()));
      row.add(Cell.of(TaskWords.reason(group.getReason())));
      row.add(Cell.of(group.getShape()));
      row.add(Cell.of(group.getTasks()));
      row.add(Cell.of(TimeText.ago(group.getNewestMs(), nowMs)));
      row.add(Cell.link(group.getExampleId(), Places.task(group.getExampleId())));
      if (canOperate) {
        row.add(Cell.link("Redrive these", DeadAction.redriveUrl(group)));
        row.add(Cell.link("Delete these", DeadAction.discardUrl(group)));
      }
      rows.add(row);
    }
    return new Part.Table(
        "By reason and error",
        columns,
        rows,
        "Nothing to group. Numbers, ids and quoted texts of errors count as alike.");
  }
}
