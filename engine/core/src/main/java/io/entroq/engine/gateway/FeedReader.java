package io.entroq.engine.gateway;

import java.util.Optional;

/** Reads effects in order, each once. One thread at a time; {@link #close} by any thread. */
public interface FeedReader extends AutoCloseable {
  /**
   * Hands over what is there: whole steps, until they have this many bytes.
   *
   * @param bytesMax most bytes of frames, unless the first step alone has more
   * @return how many effects and marks; 0 if there are none yet, or the reader has ended
   */
  int poll(EffectConsumer consumer, int bytesMax);

  /**
   * Asks to be told once when {@link #poll} may find something, or the reader ends.
   *
   * @param onAvailable called soon, on a thread of the feed; must not block
   * @return false if there is something already, and it will not be called
   */
  boolean await(Runnable onAvailable);

  /** Why it has ended; empty while it has not, or effects of before are still to be polled. */
  Optional<FeedEnd> ended();

  /** Ends the reader; later calls do nothing. */
  @Override
  void close();
}
