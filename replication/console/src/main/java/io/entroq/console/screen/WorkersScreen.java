package io.entroq.console.screen;

import io.entroq.codec.wire.edge.HeldTask;
import io.entroq.codec.wire.edge.Worker;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;

/** Who has claimed tasks lately, how that went, and what they hold. */
final class WorkersScreen implements Screen {
  private static final String PATH = "/workers";
  private static final int ROWS = 100;
  private static final int PAGES_MAX = 10_000 / ROWS;

  @Override
  public Page show(Visit visit) {
    String prefix = visit.text("q");
    int page = visit.text("page").isEmpty() ? 0 : visit.number("page", 0, PAGES_MAX);
    long nowMs = visit.reads().timeMs();
    WorkersResponse found =
        visit
            .reads()
            .ask(
                Method.WORKERS,
                WorkersRequest.newBuilder()
                    .setPrefix(prefix)
                    .setOffset(page * ROWS)
                    .setLimit(ROWS)
                    .build());
    List<Part> parts = new ArrayList<>();
    parts.add(Search.form(PATH, prefix));
    parts.add(visit.isPast() ? holders(found) : table(found, nowMs));
    if (found.getWorkersCount() == 1) {
      parts.add(held(found.getWorkers(0), nowMs));
    }
    parts.add(
        new Part.Note(
            Part.Tone.TEXT,
            visit.isPast()
                ? "Who held tasks then. What workers had done until then is not known here."
                : "Counted since %s, %s. What was claimed before is not known here."
                    .formatted(
                        TimeText.at(found.getSinceMs()),
                        TimeText.relative(found.getSinceMs(), nowMs)),
            Search.pages(page, ROWS, found.getMatched(), other -> url(prefix, other))));
    parts.add(Parts.oneOrWhyNot("Who waits", () -> WaiterTable.of(visit, "", nowMs)));
    return new Page(
        "Workers",
        "Who has claimed tasks lately. Search for one to see what it holds.",
        url(prefix, page),
        parts);
  }

  private static String url(String prefix, int page) {
    return PageUrls.to(PATH, "q", prefix, "page", page == 0 ? "" : Integer.toString(page));
  }

  private static Part table(WorkersResponse found, long nowMs) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Worker worker : found.getWorkersList()) {
      rows.add(
          List.of(
              Cell.link(worker.getClaimant(), url(worker.getClaimant(), 0)),
              Cell.of(TimeText.ago(worker.getSeenMs(), nowMs)),
              Cell.of(worker.getHeld()),
              Cell.of(worker.getClaimed()),
              Cell.of(worker.getDone()),
              Cell.of(worker.getFailed()),
              Cell.of(worker.getLapsed())));
    }
    return new Part.Table(
        "Workers found",
        List.of(
            Column.of("Worker"),
            Column.of("Last seen"),
            Column.number("Holds"),
            Column.number("Claimed"),
            Column.number("Done"),
            Column.number("Failed"),
            Column.number("Lapsed")),
        rows,
        "Nobody has claimed a task since the server began to watch.");
  }

  /** Of then, this is all that is known. */
  private static Part holders(WorkersResponse found) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Worker worker : found.getWorkersList()) {
      rows.add(
          List.of(
              Cell.link(worker.getClaimant(), url(worker.getClaimant(), 0)),
              Cell.of(worker.getHeld())));
    }
    return new Part.Table(
        "Workers found",
        List.of(Column.of("Worker"), Column.number("Holds")),
        rows,
        "Nobody held a task then.");
  }

  private static Part held(Worker worker, long nowMs) {
    List<List<Cell>> rows = new ArrayList<>();
    for (HeldTask task : worker.getTasksList()) {
      rows.add(
          List.of(
              Cell.link(task.getTaskId(), Places.task(task.getTaskId())),
              Cell.link(task.getQueue(), Places.queue(task.getQueue())),
              Cell.of(TimeText.relative(task.getUntilMs(), nowMs))));
    }
    return new Part.Table(
        rows.size() < worker.getHeld() ? "Some of the tasks that it holds" : "Tasks that it holds",
        List.of(Column.of("Task"), Column.of("Queue"), Column.of("Lease ends")),
        rows,
        "It holds no task.");
  }
}
