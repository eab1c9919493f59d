package io.entroq.client.transport;

import io.entroq.codec.wire.edge.TasksResponse;
import java.util.Optional;

/** Messages that are taken one by one, as fast as whoever takes them. For one thread. */
public interface Listing extends AutoCloseable {
  /**
   * Waits for the next message; an interrupt is pending afterwards.
   *
   * @return empty if there are no more
   * @throws FailedException if there is no telling what else there would have been
   */
  Optional<TasksResponse> next();

  /** Ends it; what has not come yet does not come any more. */
  @Override
  void close();
}
