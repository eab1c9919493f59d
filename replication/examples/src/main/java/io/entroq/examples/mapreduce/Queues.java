package io.entroq.examples.mapreduce;

/** Names of the queues with data; {@link Stage} has the queues with work. */
public final class Queues {
  /** The prefix of all the demo's queues. */
  public static final String PREFIX = "wordcount/";

  /** The planned job, and its end. */
  static final String JOB = PREFIX + "job";

  /** The list of files. */
  static final String FILES = PREFIX + "files";

  /** The word counts of the whole input. */
  static final String RESULT = PREFIX + "result";

  private Queues() {}

  /** The partial counts of a partition. */
  static String partial(int partition) {
    return PREFIX + "partial/" + partition;
  }
}
