package io.entroq.api.conformance;

import io.entroq.api.EntroQ;
import java.time.Duration;

/** An EntroQ without tasks whose clock moves as the test says. */
public interface QueueUnderTest extends AutoCloseable {
  /** The queue. */
  EntroQ queue();

  /** Moves the queue's clock forward. Whatever this makes due happens soon after. */
  void advance(Duration duration);

  @Override
  default void close() {
    queue().close();
  }
}
