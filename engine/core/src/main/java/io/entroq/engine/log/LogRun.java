package io.entroq.engine.log;

import java.nio.file.Path;
import java.util.List;

/**
 * What one opening of the log has appended.
 *
 * @param firstSequence the sequence of its first record
 * @param attempt 0, or more if openings before left a run with the same first sequence
 * @param segments its files in order; none if the opening ended before its first record
 */
public record LogRun(long firstSequence, int attempt, Path directory, List<LogSegment> segments) {
  public LogRun {
    segments = List.copyOf(segments);
  }
}
