package io.entroq.console.screen;

import io.entroq.codec.wire.edge.FailuresRequest;
import io.entroq.codec.wire.edge.TaskFailure;
import io.entroq.console.read.Visit;
import io.entroq.console.value.ErrText;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;

/** The newest failures: from here, a failing task is one click away. */
final class FailureTable {
  private FailureTable() {}

  /**
   * The table.
   *
   * @param queue empty for all queues
   */
  static Part of(Visit visit, String queue, int limit, long nowMs) {
    List<List<Cell>> rows = new ArrayList<>();
    for (TaskFailure failure :
        visit
            .reads()
            .ask(
                Method.FAILURES,
                FailuresRequest.newBuilder().setQueue(queue).setLimit(limit).build())
            .getFailuresList()) {
      rows.add(
          List.of(
              Cell.link(failure.getTaskId(), Places.task(failure.getTaskId())),
              Cell.link(failure.getQueue(), Places.queue(failure.getQueue()))
                  .noted(
                      failure.getDeadQueue().isEmpty()
                          ? ""
                          : "died, now in " + failure.getDeadQueue()),
              Cell.of(ErrText.line(failure.getErr())),
              Cell.of(failure.getAttempt()),
              Cell.of(failure.getClaimant()),
              Cell.of(TimeText.ago(failure.getTimeMs(), nowMs))));
    }
    return new Part.Table(
        "Newest failures",
        List.of(
            Column.of("Task"),
            Column.of("Queue"),
            Column.of("Error"),
            Column.number("Failures"),
            Column.of("Worker"),
            Column.of("When")),
        rows,
        visit.isPast()
            ? "No failure until then is known: the server remembers those that it has seen itself."
            : "No work has failed since the server began to watch.");
  }
}
