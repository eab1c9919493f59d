package io.entroq.perf.replicated;

import org.HdrHistogram.Histogram;

/**
 * What a load has come to.
 *
 * @param commands that were answered
 * @param nanos in which they were
 * @param p50Us of one, in microseconds
 * @param p99Us of one, in microseconds
 */
record Outcome(long commands, long nanos, double p50Us, double p99Us) {
  static Outcome of(Histogram callNs, long nanos) {
    return new Outcome(
        callNs.getTotalCount(),
        nanos,
        callNs.getValueAtPercentile(50) / 1e3,
        callNs.getValueAtPercentile(99) / 1e3);
  }

  /** From the line of a process. */
  static Outcome parse(String line) {
    String[] words = line.split(" ", -1);
    return new Outcome(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]));
  }

  /** As a line. */
  String line() {
    return commands + " " + nanos + " " + p50Us + " " + p99Us;
  }

  double perSecond() {
    return commands / (nanos / 1e9);
  }
}
