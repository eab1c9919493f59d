package io.entroq.simulator.call;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.result.DocsPage;
import io.entroq.engine.result.NamespacesPage;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.PositionPage;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * A listing that is read in slices, with or without commands in between. The reply is the
 * concatenation of all pages, which decodes as one result. One thread, one use.
 */
public final class PagedRead {
  private final Page page;
  private final ReadWatcher watcher;
  private final ResultDecoder result = new ResultDecoder();
  private final ExpandableArrayBuffer pages = new ExpandableArrayBuffer();
  private int length;

  /**
   * A read that has not started.
   *
   * @param request a {@link Request#LIST_DOCS}, {@link Request#LIST_NAMESPACES} or {@link
   *     Request#TASK_POSITION}
   */
  public PagedRead(Request request, ReadWatcher watcher) {
    this.watcher = watcher;
    DirectBuffer query = request.command();
    page =
        switch (request.type()) {
          case Request.LIST_DOCS -> new DocsPage(query, 0, query.capacity());
          case Request.LIST_NAMESPACES -> new NamespacesPage(query, 0, query.capacity());
          default -> new PositionPage(query, 0, query.capacity());
        };
  }

  /**
   * Reads another slice.
   *
   * @param effort how much to do, as the engine's listers count it
   * @return whether the read is complete
   */
  public boolean slice(StateMachine machine, long nowMs, int effort) {
    boolean hasMore = page.fill(machine, nowMs, effort);
    result.wrap(page.buffer(), 0, page.length());
    watcher.onSlice(result);
    if (hasMore) {
      return false;
    }
    pages.putBytes(length, page.buffer(), 0, page.length());
    length += page.length();
    if (page.isLast()) {
      watcher.onEnd();
      return true;
    }
    page.next();
    watcher.onPageEnd();
    return false;
  }

  /** Reads everything, in slices of the given effort. */
  public Reply readAll(StateMachine machine, long nowMs, int effort) {
    while (!slice(machine, nowMs, effort)) {
      // Slice by slice.
    }
    return reply();
  }

  /** Everything that was read, once the read is complete. */
  public Reply reply() {
    return Reply.of(pages, 0, length);
  }
}
