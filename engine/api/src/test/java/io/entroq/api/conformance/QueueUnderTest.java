package io.entroq.api.conformance;

import io.entroq.api.EntroQ;
import java.time.Duration;

/** An EntroQ without tasks whose clock moves as the test says, and stands or nearly. */
public interface QueueUnderTest extends AutoCloseable {
  /** The queue. */
  EntroQ queue();

  /** Moves the queue's clock forward. Whatever this makes due happens soon after. */
  void advance(Duration duration);

  /**
   * How far the clock may go by itself while something is asked; at most a third of the {@link
   * EntroQConformance#LEASE}, and zero if it stands.
   */
  default Duration drift() {
    return Duration.ZERO;
  }

  /**
   * From now on the queue does nothing and answers nothing, until it is told to {@link #goOn}.
   *
   * @return whether it can be told to
   */
  default boolean hold() {
    return false;
  }

  /** The queue does what it was asked to meanwhile, and goes on. */
  default void goOn() {}

  @Override
  default void close() {
    queue().close();
  }
}
