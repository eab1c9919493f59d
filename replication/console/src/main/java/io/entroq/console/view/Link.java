package io.entroq.console.view;

import java.util.List;

/** A link; its URL is one that {@code PageUrls} has made. */
public record Link(String text, String href) {
  /** The same to pages of the past. */
  static List<Link> asOf(List<Link> links, Past past) {
    return links.stream().map(link -> new Link(link.text, past.url(link.href))).toList();
  }
}
