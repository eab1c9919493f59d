package io.entroq.tools.importing.source;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lists the docs of a namespace by ranges of keys. A range with more docs than fit in a page is
 * halved, because EntroQ's own server returns arbitrary docs of a range that exceeds the limit. Not
 * thread-safe.
 */
public final class DocListing {
  private static final int PAGE_DOCS = 1_000;

  /** Our servers have no longer keys, and do not accept them as the end of a range. */
  private static final int KEY_BYTES_MAX = 1_024;

  private final Page page;
  private final int pageDocs;

  /** Reads docs in the order of their keys. */
  @FunctionalInterface
  public interface Page {
    /**
     * Reads docs of a range of keys, with or without values.
     *
     * @param keyStart first key, inclusive; empty for no lower bound
     * @param keyEnd end, exclusive; empty for no upper bound
     * @param limit how many at most; 0 for all
     */
    List<DocItem> docs(String keyStart, String keyEnd, int limit);
  }

  private record Range(String start, String end) {}

  public DocListing(Page page) {
    this(page, PAGE_DOCS);
  }

  /** Uses pages of {@code pageDocs} docs, 2 or more. */
  DocListing(Page page, int pageDocs) {
    this.page = page;
    this.pageDocs = pageDocs;
  }

  /** Passes each doc to a consumer, in the order of keys. */
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
    // The whole page has the same key: read all docs of that key at once, as claims do too.
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
