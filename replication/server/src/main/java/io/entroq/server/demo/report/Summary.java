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
 * What came of a job.
 *
 * @param job what was to be counted
 * @param words how many words there are
 * @param distinctWords how many different ones
 * @param top the most frequent ones, the most frequent first
 * @param audit what became of the tasks
 * @param run how the last run went
 * @param isEqual whether the result equals that of the direct count
 * @param comparedAt when they were compared
 * @param isRepeated whether that was in an earlier run, and this one only says it once more
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

  /** Sums up a result that was just compared with a direct count. */
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

  /** Sums up a result that an earlier run found right. */
  public static Summary again(Job job, WordCounts result, Audit audit, Finished finished) {
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

  /** Whether there was something to count. */
  public boolean hasInput() {
    return job.chunks() > 0;
  }

  /** Whether more than the last run committed tasks. */
  public boolean isOfSeveralRuns() {
    return run.committed() < audit.committed();
  }

  /** Whether everything is as it has to be. */
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
