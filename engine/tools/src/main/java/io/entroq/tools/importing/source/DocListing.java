package io.entroq.tools.importing.source;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lists the docs of a namespace, however many there are, range by range of keys: one of which there
 * are more docs than a page has is halved. That does not depend on which docs a server leaves out
 * that has more than it was asked for; EntroQ's leaves out any. For one thread.
 */
public final class DocListing {
  private static final int PAGE_DOCS = 1_000;

  /** No server of ours has longer keys, or takes them for the end of a range. */
  private static final int KEY_BYTES_MAX = 1_024;

  private final Page page;
  private final int pageDocs;

  /** Asks for docs in the order of their keys. */
  @FunctionalInterface
  public interface Page {
    /**
     * Docs of a range of keys; their values do not matter.
     *
     * @param keyStart the first key; empty: any
     * @param keyEnd the first key that is not wanted any more; empty: none
     * @param limit how many at most; 0: all
     */
    List<DocItem> docs(String keyStart, String keyEnd, int limit);
  }

  private record Range(String start, String end) {}

  /** Lists what a page after the other has. */
  public DocListing(Page page) {
    this(page, PAGE_DOCS);
  }

  /** The same with pages of so many docs, 2 or more. */
  DocListing(Page page, int pageDocs) {
    this.page = page;
    this.pageDocs = pageDocs;
  }

  /** Hands each doc to a consumer, in the order of keys. */
  public void forEach(Consumer<DocItem> consumer) {
    Deque<Range> left = new ArrayDeque<>(List.of(new Range("", "")));
    while (!left.isEmpty()) {
      Range range = left.pop();
      List<DocItem> docs = page.docs(range.start, range.end, pageDocs);
      if (docs.size() < pageDocs) {
        docs.forEach(consumer);
      } else {
        split(range, docs, left, consumer);
      }
    }
  }

  private void split(
      Range range, List<DocItem> docs, Deque<Range> left, Consumer<DocItem> consumer) {
    String middle = docs.get(docs.size() / 2).key();
    if (middle.equals(range.start)) {
      middle = docs.get(docs.size() - 1).key();
    }
    if (!middle.equals(range.start)) {
      left.push(new Range(middle, range.end));
      left.push(new Range(range.start, middle));
      return;
    }
    // All of the page have the first key: whoever works with docs takes those of a key at once.
    String next = middle + '\0';
    boolean isLongest = next.getBytes(StandardCharsets.UTF_8).length > KEY_BYTES_MAX;
    if (isLongest) {
      page.docs(range.start, range.end, 0).forEach(consumer);
    } else {
      page.docs(range.start, next, 0).forEach(consumer);
      left.push(new Range(next, range.end));
    }
  }
}
