package io.entroq.console.view;

import java.util.List;

/**
 * What a page shows below the navigation.
 *
 * @param title its heading
 * @param lead a sentence that says what the page is for
 * @param self its URL, if it is to be loaded again every few seconds; otherwise empty
 * @param parts in order
 */
public record Page(String title, String lead, String self, List<Part> parts) {
  public Page {
    parts = List.copyOf(parts);
  }

  /** The same of the past: links lead there too, and nothing changes any more. */
  public Page asOf(Past past) {
    return new Page(title, lead, "", parts.stream().map(part -> part.asOf(past)).toList());
  }
}
