package io.entroq.server.cli.work;

import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.workers.Results;
import picocli.CommandLine.Option;

/** The options that say where results go. */
final class ResultOptions {
  @Option(
      names = {"-o", "--outbox"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description =
          "Queue for results. Default: the task's queue followed by /done. For a pool, name both"
              + " this and --errbox, outside of it: its members are worked on.")
  private String outbox;

  @Option(
      names = {"-e", "--errbox"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description =
          "Queue for results of failed work. Default: the task's queue followed by /error. For a"
              + " pool, see --outbox.")
  private String errbox;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "How often failed work is repeated before its result goes to the errbox. Default: 0.")
  private int retries;

  int retries() {
    return retries;
  }

  /**
   * What they say.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if one is out of range
   */
  Results results() {
    Results results = Results.standard().withRetries(retries);
    results = outbox == null ? results : results.withOutbox(outbox);
    return errbox == null ? results : results.withErrbox(errbox);
  }

  /** For workers whose tasks may name their own queues. */
  static final class OfTasks {
    @Option(
        names = "--task-boxes",
        description =
            "Let a task name its own outbox and errbox. Whoever may insert into the queue may then"
                + " have results inserted into any queue that this worker may write. Without it,"
                + " such a task is quarantined.")
    private boolean isAllowed;

    Results apply(Results results) {
      return isAllowed ? results.namedByTasksToo() : results;
    }
  }
}
