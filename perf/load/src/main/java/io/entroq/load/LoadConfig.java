package io.entroq.load;

import io.entroq.api.Claim;
import io.entroq.codec.wire.Limits;
import io.entroq.load.ledger.TaskTags;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * What load there is to be.
 *
 * @param warmUp how long callers work before anything is measured, 0 to an hour
 * @param duration how long is measured, 10 milliseconds to a week
 * @param callers how many there are, each with a thread of its own, from 1 to 4,000
 * @param batch how many tasks one cycle inserts, claims and deletes, from 1 to 1,000
 * @param valueBytes how large the value of a task is, from 16 bytes, which say which task it is, to
 *     1 MiB
 * @param backlog how many tasks are pending all the time besides, from 0 to 1,000,000,000
 * @param queues how many queues the callers are spread over, from 1 to 100,000
 * @param rate how many tasks a second there are to be in all, whatever the answers take; empty:
 *     each caller begins its next cycle when it has the answers of the last
 */
public record LoadConfig(
    Duration warmUp,
    Duration duration,
    int callers,
    int batch,
    int valueBytes,
    long backlog,
    int queues,
    OptionalDouble rate) {
  /** As many as an engine takes requests at once, less some for whoever looks at the run. */
  public static final int CALLERS_MAX = 4_000;

  /** How many queues there may be. */
  public static final int QUEUES_MAX = 100_000;

  /** How large a backlog may be. */
  public static final long BACKLOG_MAX = 1_000_000_000;

  /** At most what a task takes in a command besides its value. */
  private static final int TASK_BYTES_MAX = 128;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException with a line for people, which names the option
   */
  public LoadConfig {
    require("--warmup-seconds", seconds(warmUp), 0, 3_600);
    require("--seconds", seconds(duration), 0.01, 604_800);
    require("--callers", callers, 1, CALLERS_MAX);
    require("--batch", batch, 1, Claim.LIMIT_MAX);
    require("--value-bytes", valueBytes, TaskTags.BYTES, Limits.VALUE_BYTES_MAX_DEFAULT);
    require("--backlog", (double) backlog, 0, BACKLOG_MAX);
    require("--queues", queues, 1, QUEUES_MAX);
    rate.ifPresent(tasks -> require("--rate", tasks, 0.01, 1e9));
    if (batch > batchMax(valueBytes)) {
      throw new IllegalArgumentException(
          "--batch must be at most %,d with --value-bytes %,d, is %,d"
              .formatted(batchMax(valueBytes), valueBytes, batch));
    }
  }

  /** How many tasks of such values one command may have. */
  static int batchMax(int valueBytes) {
    int fitting = Limits.COMMAND_BYTES_MAX_DEFAULT / (valueBytes + TASK_BYTES_MAX);
    return Math.min(Claim.LIMIT_MAX, fitting);
  }

  private static void require(String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s, is %s"
              .formatted(option, plain(min), plain(max), plain(value)));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? "%,.0f".formatted(value) : Double.toString(value);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
