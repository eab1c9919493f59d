package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Waiter;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.codec.wire.edge.WaitersResponse;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.PageUrls;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;

/** Claims that wait for tasks. */
final class WaiterTable {
  private static final int ROWS = 10;
  private static final int QUEUES_NAMED = 3;

  private WaiterTable() {}

  /**
   * The table.
   *
   * @param queue empty for all queues
   */
  static Part of(Visit visit, String queue, long nowMs) {
    if (visit.isPast()) {
      return Part.Note.of(
          Part.Tone.NOTE,
          "Who waited for a task then is not known: claims that wait are not kept.");
    }
    WaitersResponse found =
        visit
            .reads()
            .ask(
                Method.WAITERS, WaitersRequest.newBuilder().setQueue(queue).setLimit(ROWS).build());
    List<List<Cell>> rows = new ArrayList<>();
    for (Waiter waiter : found.getWaitersList()) {
      List<String> queues = waiter.getQueuesList();
      List<String> named = queues.subList(0, Math.min(QUEUES_NAMED, queues.size()));
      int others = waiter.getQueueCount() - named.size();
      rows.add(
          List.of(
              Cell.link(waiter.getClaimant(), PageUrls.to("/workers", "q", waiter.getClaimant())),
              Cell.of(TimeText.ago(waiter.getSinceMs(), nowMs)),
              Cell.of(String.join(", ", named))
                  .noted(others > 0 ? "and %,d more".formatted(others) : "")));
    }
    return new Part.Table(
        found.getMatched() > rows.size()
            ? "Claims that wait: %,d, the first of them".formatted(found.getMatched())
            : "Claims that wait",
        List.of(Column.of("Worker"), Column.of("Since"), Column.of("For a task of")),
        rows,
        "Nobody waits for a task.");
  }
}
