package io.entroq.perf.replicated;

import org.HdrHistogram.Histogram;

/**
 * The outcome of a load, as the member that put it on measured it.
 *
 * @param commands answered
 * @param nanos the time in which they were
 * @param p50Us of a command, in microseconds
 * @param p99Us of a command, in microseconds
 * @param longestUs of all commands, in microseconds
 */
record Outcome(long commands, long nanos, double p50Us, double p99Us, double longestUs) {
  static Outcome of(Histogram callNs, long nanos) {
    return new Outcome(
        callNs.getTotalCount(),
        nanos,
        callNs.getValueAtPercentile(50) / 1e3,
        callNs.getValueAtPercentile(99) / 1e3,
        callNs.getMaxValue() / 1e3);
  }

  /** The reverse of {@link #line}. */
  static Outcome parse(String line) {
    String[] words = line.split(" ", -1);
    return new Outcome(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]),
        Double.parseDouble(words[4]));
  }

  String line() {
    return commands + " " + nanos + " " + p50Us + " " + p99Us + " " + longestUs;
  }

  double perSecond() {
    return commands / (nanos / 1e9);
  }
}
