package io.entroq.server.bench;

import java.time.Duration;

/** Whoever watches a run. Called on the thread that runs it. */
public interface BenchView {
  /** Nobody. */
  BenchView NONE = new BenchView() {};

  /** After how long {@link #running} is called next. */
  default Duration interval() {
    return Duration.ofSeconds(5);
  }

  /** So much of the backlog is there. */
  default void loading(long tasks, long total) {}

  /** Callers are at work. */
  default void running(Sample sample) {}

  /** The run is over, and so many of the tasks that remain have been looked at. */
  default void checking(long tasks, long total) {}

  /** Nothing follows. */
  default void end() {}
}
