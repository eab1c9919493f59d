package io.entroq.console.screen;

import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.List;

/**
 * The queues: searched by prefix, sorted, 50 a page; those of a pool are folded into one row. Or
 * the members of one pool, the same way.
 */
final class QueuesScreen implements Screen {
  @Override
  public Page show(Visit visit) {
    QueuesView view = QueuesView.of(visit);
    SearchQueuesResponse found = view.read(visit);
    List<Part> parts = new ArrayList<>();
    parts.add(search(view));
    parts.add(new QueueRows(visit, view, found).table());
    parts.add(pages(found, view));
    if (!found.getComplete() && found.getMatched() > 0) {
      parts.add(
          Part.Note.of(
              Part.Tone.PROBLEM,
              "There are more than 1,000,000 queues; only as many are listed. Others have their"
                  + " pages, too."));
    }
    parts.add(new Part.Links("", links(view)));
    return new Page(
        view.pool().isEmpty() ? "Queues" : "Queues of pool " + view.pool(),
        view.pool().isEmpty()
            ? "Search by prefix. Select a column heading to sort. A pool has the sums over its"
                + " queues, and folds open."
            : "The queue of the pool itself, and all queues directly below it.",
        view.url(),
        parts);
  }

  private static Part search(QueuesView view) {
    Part.Form form = Search.form(QueuesView.PATH, view.prefix());
    if (view.pool().isEmpty()) {
      return form;
    }
    List<Field> fields = new ArrayList<>(form.fields());
    fields.add(0, Field.hidden("pool", view.pool()));
    return new Part.Form("", "", false, form.action(), fields, form.submit(), List.of());
  }

  private static List<Link> links(QueuesView view) {
    List<Link> links = new ArrayList<>();
    if (!view.pool().isEmpty()) {
      links.add(new Link("The pool and its rules", Places.queue(view.pool())));
      links.add(new Link("All queues", PageUrls.to(QueuesView.PATH)));
    }
    links.add(new Link("Policies and limiters", PageUrls.to("/policies")));
    links.add(new Link("Find a task", PageUrls.to("/task")));
    return links;
  }

  private static Part pages(SearchQueuesResponse found, QueuesView view) {
    int first = view.page() * QueuesView.ROWS;
    return new Part.Note(
        Part.Tone.TEXT,
        "%,d to %,d of %,d."
            .formatted(
                Math.min(found.getMatched(), first + 1),
                first + found.getQueuesCount(),
                found.getMatched()),
        Search.pages(
            view.page(), QueuesView.ROWS, found.getMatched(), page -> view.at(page).url()));
  }
}
