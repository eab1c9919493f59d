package io.entroq.load;

import java.time.Duration;

/** Whoever watches a run. Called on the thread that runs it. */
public interface LoadListener {
  /** Nobody. */
  LoadListener NONE = new LoadListener() {};

  /** After how long {@link #running} is called next. */
  default Duration interval() {
    return Duration.ofSeconds(5);
  }

  /** So much of the backlog is there. */
  default void loading(long tasks, long total) {}

  /** Callers are at work. */
  default void running(ProgressSample sample) {}

  /** The run is over, and so many of the tasks that remain have been looked at. */
  default void checking(long tasks, long total) {}

  /** Nothing follows. */
  default void end() {}
}
