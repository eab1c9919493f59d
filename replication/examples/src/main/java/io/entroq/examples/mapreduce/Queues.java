package io.entroq.examples.mapreduce;

/** Names of the queues that hold data; those that hold work are a {@link Stage}'s. */
public final class Queues {
  /** What the names of all queues of the demo begin with. */
  public static final String PREFIX = "wordcount/";

  /** The job, once it is planned, and its end. */
  static final String JOB = PREFIX + "job";

  /** The files that were listed. */
  static final String FILES = PREFIX + "files";

  /** How often the words of the whole input occur. */
  static final String RESULT = PREFIX + "result";

  private Queues() {}

  /** Where the counts of a partition come together that are to be added up. */
  static String partial(int partition) {
    return PREFIX + "partial/" + partition;
  }
}
