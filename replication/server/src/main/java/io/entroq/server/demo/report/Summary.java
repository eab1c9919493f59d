package io.entroq.server.demo.report;

import io.entroq.examples.mapreduce.Audit;
import io.entroq.examples.mapreduce.Finished;
import io.entroq.examples.mapreduce.Job;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The result of a job.
 *
 * @param words number of words
 * @param distinctWords number of distinct words
 * @param top the most frequent words with their counts, in descending order
 * @param audit the outcomes of the tasks
 * @param run the figures of the last run
 * @param isEqual whether the result equals the direct count
 * @param comparedAt time of the comparison
 * @param isRepeated whether an earlier run made the comparison
 */
public record Summary(
    Job job,
    long words,
    long distinctWords,
    List<Map.Entry<String, Long>> top,
    Audit audit,
    RunFigures run,
    boolean isEqual,
    Instant comparedAt,
    boolean isRepeated) {
  private static final int TOP_WORDS = 10;

  /** Summarizes a result that this run compared with a direct count. */
  public static Summary of(
      Job job, WordCounts result, Audit audit, RunFigures run, boolean isEqual) {
    return new Summary(
        job,
        result.total(),
        result.distinct(),
        top(result),
        audit,
        run,
        isEqual,
        Instant.now(),
        false);
  }

  /** Summarizes a result that an earlier run found right. */
  public static Summary repeated(Job job, WordCounts result, Audit audit, Finished finished) {
    return new Summary(
        job,
        result.total(),
        result.distinct(),
        top(result),
        audit,
        RunFigures.parse(finished.figures()),
        true,
        finished.at(),
        true);
  }

  /** Whether there was any text to count. */
  public boolean hasInput() {
    return job.chunks() > 0;
  }

  /** Whether earlier runs committed some of the tasks. */
  public boolean hasEarlierRuns() {
    return run.committed() < audit.committed();
  }

  /** Whether the result equals the direct count and no task was lost or committed twice. */
  public boolean isRight() {
    return isEqual && audit.lost() == 0 && audit.committedTwice() == 0;
  }

  private static List<Map.Entry<String, Long>> top(WordCounts counts) {
    return counts.entries().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(TOP_WORDS)
        .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
        .toList();
  }
}
