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

  @Override
  default void close() {
    queue().close();
  }
}
