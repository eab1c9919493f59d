package io.entroq.console.screen;

import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageUrls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** What pages have that search names by prefix, and show what they find a page at a time. */
final class Search {
  private Search() {}

  /** The form. */
  static Part.Form form(String path, String prefix) {
    return new Part.Form(
        "",
        "",
        false,
        PageUrls.to(path),
        List.of(Field.line("q", "Names that begin with", prefix, "")),
        "Search",
        List.of());
  }

  /**
   * The links to the page before and the one after.
   *
   * @param page shown, from 0
   * @param rows of a page
   * @param matched on all pages
   * @param url of a page
   */
  static List<Link> pages(int page, int rows, long matched, IntFunction<String> url) {
    List<Link> links = new ArrayList<>();
    if (page > 0) {
      links.add(new Link("Previous", url.apply(page - 1)));
    }
    if ((page + 1L) * rows < matched) {
      links.add(new Link("Next", url.apply(page + 1)));
    }
    return links;
  }
}
