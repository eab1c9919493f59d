package io.entroq.server.demo.report;

import io.entroq.api.Durability;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of the run that finished the count. An earlier run that was killed has no figures,
 * only its committed tasks.
 *
 * @param durability what a reply guaranteed
 * @param workers number of workers
 * @param seed seed of the crashes and hangs
 * @param committed number of tasks that this run committed
 * @param elapsedMs time spent on the tasks, without the scan and the check
 * @param crashes number of workers that died
 * @param hangs number of workers that hung past their lease
 * @param lateCommitsRefused number of hung workers whose late commit was refused
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
  /** Tasks claimed, done and committed per second. */
  public long cyclesPerSecond() {
    return Math.round(committed * 1000.0 / Math.max(1, elapsedMs));
  }

  /** Formats the figures for {@link #parse}. */
  public String format() {
    return Stream.of(
            durability, workers, seed, committed, elapsedMs, crashes, hangs, lateCommitsRefused)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  /** Parses the text from {@link #format}. */
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
