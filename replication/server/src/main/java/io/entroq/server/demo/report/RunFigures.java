package io.entroq.server.demo.report;

import io.entroq.api.Durability;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the run went that ended the count. A run that was killed before leaves no figures, only the
 * tasks that it committed.
 *
 * @param durability what a reply promised
 * @param workers how many there were
 * @param seed what chaos was drawn from
 * @param committed how many tasks this run committed
 * @param elapsedMs how long it worked on the tasks, without scan and check
 * @param crashes how many workers died
 * @param hangs how many hung past their lease
 * @param lateCommitsRefused how many of those tried to commit afterwards and were refused
 */
public record RunFigures(
    Durability durability,
    int workers,
    long seed,
    long committed,
    long elapsedMs,
    long crashes,
    long hangs,
    long lateCommitsRefused) {
  /** Tasks claimed, worked on and committed in a second. */
  public long cyclesPerSecond() {
    return Math.round(committed * 1000.0 / Math.max(1, elapsedMs));
  }

  /** As text. */
  public String format() {
    return Stream.of(
            durability, workers, seed, committed, elapsedMs, crashes, hangs, lateCommitsRefused)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  /** Reads what {@link #format} wrote. */
  public static RunFigures parse(String text) {
    String[] fields = text.split(" ", 8);
    return new RunFigures(
        Durability.valueOf(fields[0]),
        Integer.parseInt(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]),
        Long.parseLong(fields[5]),
        Long.parseLong(fields[6]),
        Long.parseLong(fields[7]));
  }
}
