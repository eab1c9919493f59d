package io.entroq.engine.gateway;

import java.util.concurrent.CompletableFuture;

/**
 * Shows the state of an engine as of points of its kept history. Each view is opened on a thread of
 * its own, beside the engine, and stays open for a minute after its last use. There are few at a
 * time. Any thread; nothing blocks.
 */
public interface Views {
  /**
   * Asks for the state as of a point. All who ask for the same point share one view. Whoever does
   * not want to wait any more cancels the future, or completes it otherwise: a view that nobody
   * waits for is not opened to the end.
   *
   * @return completes on a thread of the view, which must not be kept; exceptionally with a {@link
   *     ViewException} that says why it cannot be shown. Its user closes the view.
   */
  CompletableFuture<View> open(HistoryPoint point);

  /**
   * The points that can be shown at present: from the first to the last step, below the first if
   * there are none. May read from the disk.
   */
  FeedRange kept();

  /** Statistics. */
  ViewStats stats();
}
