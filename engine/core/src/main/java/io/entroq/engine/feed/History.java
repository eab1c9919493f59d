package io.entroq.engine.feed;

import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.HistoryPoint;

/**
 * Reads what the ring does not have any more, or never had. Any thread; nothing blocks but {@link
 * #first} and {@link #close}.
 *
 * <p>A reader that needs it gets a reader of the history, hands its calls on to that, and returns
 * to the ring as soon as the ring has all steps after the last mark. So a reader of the history
 * ends each poll that shows something with a mark, as every reader does; before the end of a
 * snapshot it gives none. It shows nothing that may not be shown yet, and waits for more at its
 * end.
 */
public interface History {
  /**
   * The first point after which effects can be read; {@link HistoryPoint#END} if there is none. May
   * read from the disk.
   */
  HistoryPoint first();

  /**
   * Opens a reader for a request that begins with neither {@link FeedRequest.Start.Now} nor {@link
   * FeedRequest.Start.Live}. It ends with the reason if that is impossible.
   */
  FeedReader open(FeedRequest request);

  /** Ends all readers; returns when nothing is read any more. */
  void close();
}
