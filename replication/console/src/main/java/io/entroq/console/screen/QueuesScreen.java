package io.entroq.console.screen;

import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.console.chart.Sparkline;
import io.entroq.console.read.Visit;
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
import java.util.Map;

/** The queues: searched by prefix, sorted, 50 a page. */
final class QueuesScreen implements Screen {
  private static final String PATH = "/queues";
  private static final int ROWS = 50;

  /** At most 1,000,000 queues are known by name. */
  private static final int PAGES_MAX = 1_000_000 / ROWS;

  private static final String DOWN = "down";

  /** A column that the service can sort by; empty if it cannot. */
  private record Sorted(String name, String key) {}

  private static final List<Sorted> COLUMNS =
      List.of(
          new Sorted("Queue", "name"),
          new Sorted("Available", "ready"),
          new Sorted("Claimed", "in_flight"),
          new Sorted("Resting", "resting"),
          new Sorted("Not due yet", "future"),
          new Sorted("Oldest has waited", "oldest_age_ms"),
          new Sorted("In the last minute", "activity"),
          new Sorted("Done in the last hour", ""));

  @Override
  public Page show(Visit visit) {
    String prefix = visit.text("q");
    String sort = visit.text("sort");
    boolean isDown = visit.text("order").equals(DOWN);
    int page = visit.text("page").isEmpty() ? 0 : visit.number("page", 0, PAGES_MAX);
    SearchQueuesResponse found =
        visit
            .reads()
            .ask(
                Method.SEARCH_QUEUES,
                SearchQueuesRequest.newBuilder()
                    .setPrefix(prefix)
                    .setSort(sort)
                    .setDescending(isDown)
                    .setOffset(page * ROWS)
                    .setLimit(ROWS)
                    .build());
    List<Part> parts = new ArrayList<>();
    parts.add(Search.form(PATH, prefix));
    parts.add(table(visit, found, prefix, sort, isDown));
    parts.add(pages(found, page, prefix, sort, isDown));
    if (!found.getComplete() && found.getMatched() > 0) {
      parts.add(
          Part.Note.of(
              Part.Tone.PROBLEM,
              "There are more than 1,000,000 queues; only as many are listed. Others have their"
                  + " pages, too."));
    }
    parts.add(new Part.Links("", List.of(new Link("Find a task", PageUrls.to("/task")))));
    return new Page(
        "Queues",
        "Search by prefix. Select a column heading to sort.",
        url(prefix, sort, isDown, page),
        parts);
  }

  private static String url(String prefix, String sort, boolean isDown, int page) {
    return PageUrls.to(
        PATH,
        "q",
        prefix,
        "sort",
        sort,
        "order",
        isDown ? DOWN : "",
        "page",
        page == 0 ? "" : Integer.toString(page));
  }

  private static Part table(
      Visit visit, SearchQueuesResponse found, String prefix, String sort, boolean isDown) {
    List<Column> columns = new ArrayList<>();
    for (Sorted column : COLUMNS) {
      boolean isSorted = column.key.equals(sort.isEmpty() ? "name" : sort);
      // Of numbers, the largest are of interest first.
      boolean isNextDown = isSorted ? !isDown : !column.key.equals("name");
      columns.add(
          new Column(
              column.name,
              column.key.isEmpty() ? "" : url(prefix, column.key, isNextDown, 0),
              isSorted ? (isDown ? "descending" : "ascending") : "",
              !column.key.isEmpty()
                  && !column.key.equals("name")
                  && !column.key.equals("activity")));
    }
    Map<String, Sparkline> sparks =
        RateCharts.sparks(
            visit, found.getQueuesList().stream().map(QueueFigures::getName).toList());
    List<List<Cell>> rows = new ArrayList<>();
    for (QueueFigures queue : found.getQueuesList()) {
      Sparkline spark = sparks.get(queue.getName());
      rows.add(
          List.of(
              Cell.link(queue.getName(), Places.queue(queue.getName())).noted(state(queue)),
              Cell.of(queue.getReady()),
              Cell.of(queue.getInFlight()),
              Cell.of(queue.getResting()),
              Cell.of(queue.getFuture()),
              Cell.of(queue.getOldestAgeMs() == 0 ? "" : TimeText.duration(queue.getOldestAgeMs())),
              Cell.of(RateCharts.words(queue.getLastMinute())),
              spark == null ? Cell.of("") : Cell.of(spark)));
    }
    return new Part.Table(
        "Queues found",
        columns,
        rows,
        prefix.isEmpty()
            ? "There are no queues yet. A queue exists as soon as a task is inserted into it."
            : "No queue name begins with this.");
  }

  private static String state(QueueFigures queue) {
    List<String> words = new ArrayList<>();
    if (queue.getPausedUntilMs() != 0) {
      words.add("paused");
    }
    if (queue.getDeadQueue()) {
      words.add("dead tasks");
    }
    return String.join(", ", words);
  }

  private static Part pages(
      SearchQueuesResponse found, int page, String prefix, String sort, boolean isDown) {
    return new Part.Note(
        Part.Tone.TEXT,
        "%,d to %,d of %,d."
            .formatted(
                Math.min(found.getMatched(), page * ROWS + 1),
                page * ROWS + found.getQueuesCount(),
                found.getMatched()),
        Search.pages(page, ROWS, found.getMatched(), other -> url(prefix, sort, isDown, other)));
  }
}
