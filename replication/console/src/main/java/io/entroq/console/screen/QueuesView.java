package io.entroq.console.screen;

import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.console.read.Visit;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Which queues are listed, and how. Immutable.
 *
 * @param prefix of their names
 * @param pool whose members are listed; empty for all queues
 * @param sort a column that the service sorts by; empty for the names
 * @param page from 0
 * @param open the pools that are folded open
 */
record QueuesView(
    String prefix, String pool, String sort, boolean isDown, int page, List<String> open) {
  static final String PATH = "/queues";

  /** Of a page. */
  static final int ROWS = 50;

  /** Of a pool that is folded open; a page of its own has all. */
  static final int MEMBERS = 20;

  private static final int OPEN_MAX = 10;

  /** At most 1,000,000 queues are known by name. */
  private static final int PAGES_MAX = 1_000_000 / ROWS;

  private static final String DOWN = "down";

  /**
   * Reads the parameters.
   *
   * @throws PageException if they are out of range
   */
  static QueuesView of(Visit visit) {
    List<String> open = visit.parameters().all("open").stream().distinct().toList();
    if (open.size() > OPEN_MAX) {
      throw PageException.invalid("At most %d pools can be open at a time.".formatted(OPEN_MAX));
    }
    return new QueuesView(
        visit.text("q"),
        visit.text("pool"),
        visit.text("sort"),
        visit.text("order").equals(DOWN),
        visit.text("page").isEmpty() ? 0 : visit.number("page", 0, PAGES_MAX),
        open);
  }

  /** Asks for a page of them. */
  SearchQueuesResponse read(Visit visit) {
    return read(visit, ROWS);
  }

  private SearchQueuesResponse read(Visit visit, int limit) {
    return visit
        .reads()
        .ask(
            Method.SEARCH_QUEUES,
            SearchQueuesRequest.newBuilder()
                .setPrefix(prefix)
                .setPool(pool)
                .setFold(true)
                .setSort(sort)
                .setDescending(isDown)
                .setOffset(page * ROWS)
                .setLimit(limit)
                .build());
  }

  /** Asks for some members of a pool, in the same order. */
  SearchQueuesResponse members(Visit visit, String of) {
    return of(of).read(visit, MEMBERS);
  }

  /** The members of a pool, in the same order. */
  QueuesView of(String other) {
    return new QueuesView("", other, sort, isDown, 0, List.of());
  }

  QueuesView at(int other) {
    return new QueuesView(prefix, pool, sort, isDown, other, open);
  }

  QueuesView sorted(String by, boolean isDescending) {
    return new QueuesView(prefix, pool, by, isDescending, 0, open);
  }

  boolean isOpen(String queue) {
    return open.contains(queue);
  }

  /** The same with a pool folded open, or not any more. The one that was opened first may close. */
  QueuesView toggled(String queue) {
    List<String> toggled = new ArrayList<>(open);
    if (!toggled.remove(queue)) {
      if (toggled.size() == OPEN_MAX) {
        toggled.remove(0);
      }
      toggled.add(queue);
    }
    return new QueuesView(prefix, pool, sort, isDown, page, List.copyOf(toggled));
  }

  String url() {
    List<String> parameters =
        new ArrayList<>(
            List.of(
                "q",
                prefix,
                "pool",
                pool,
                "sort",
                sort,
                "order",
                isDown ? DOWN : "",
                "page",
                page == 0 ? "" : Integer.toString(page)));
    open.forEach(each -> parameters.addAll(List.of("open", each)));
    return PageUrls.to(PATH, parameters.toArray(String[]::new));
  }
}
