package io.entroq.engine.log;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The part of a log that one opening has appended.
 *
 * @param number counts the openings, from 1. A later run may begin before the end of an earlier one
 *     if that end was cut off
 * @param firstSequence the sequence of its first record
 * @param segments its files in order; empty if it has no record
 */
public record LogRun(int number, long firstSequence, Path directory, List<LogSegment> segments) {
  public LogRun {
    segments = List.copyOf(segments);
  }

  /** This run without some of its files. */
  public LogRun without(Set<Path> files) {
    List<LogSegment> rest =
        segments.stream().filter(segment -> !files.contains(segment.file())).toList();
    return new LogRun(number, firstSequence, directory, rest);
  }
}
