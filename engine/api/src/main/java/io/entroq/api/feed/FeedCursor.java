package io.entroq.api.feed;

import io.entroq.api.EntroQException;
import java.util.Optional;

/**
 * A place in a feed that is read without waiting. For one thread at a time, but {@link #close} and
 * {@link #problem} are for any thread. It takes little more from its source than is polled.
 */
public interface FeedCursor extends AutoCloseable {
  /**
   * Takes the next effect.
   *
   * @return empty if there is none now, or none any more
   * @throws EntroQException if the feed has failed, on this and on each later call: {@link
   *     EntroQException.OutOfRange} if it cannot begin or resume where it should, {@link
   *     EntroQException.Closed} if the queue is closed
   */
  Optional<Effect> poll();

  /**
   * Asks to be told once when polling may bring something: an effect, the end, a failure or a new
   * position. Replaces a request that was not answered yet.
   *
   * @param onAvailable runs on a thread of the source; must be quick
   * @return false if polling may bring something now; then it will not run
   */
  boolean await(Runnable onAvailable);

  /** Whether everything was polled that was asked for, or it is closed. */
  boolean isEnded();

  /**
   * Where to resume behind what was polled; it also advances while nothing passes the filters.
   * Empty before there is one, and within the state with which the feed began.
   */
  Optional<FeedPosition> position();

  /**
   * Why nothing comes at present although the feed has not failed, such as a lost connection; it
   * resumes by itself. Empty if all is well.
   */
  Optional<EntroQException> problem();

  /** Ends the feed. Does nothing if it has ended. */
  @Override
  void close();
}
