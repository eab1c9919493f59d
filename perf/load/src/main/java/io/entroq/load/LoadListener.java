package io.entroq.load;

import java.time.Duration;

/** Observes a run, on the thread that runs it. */
public interface LoadListener {
  LoadListener NONE = new LoadListener() {};

  /** The time between two calls of {@link #running}. */
  default Duration interval() {
    return Duration.ofSeconds(5);
  }

  /** The backlog is being inserted. */
  default void loading(long tasks, long total) {}

  /** Callers are running. */
  default void running(ProgressSample sample) {}

  /** The run is over, and remaining tasks are being checked. */
  default void checking(long tasks, long total) {}

  /** No call follows. */
  default void end() {}
}
