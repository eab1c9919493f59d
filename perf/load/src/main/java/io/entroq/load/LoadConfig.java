package io.entroq.load;

import io.entroq.api.Claim;
import io.entroq.codec.wire.Limits;
import io.entroq.load.ledger.TaskTags;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * The load of a run.
 *
 * @param warmUp before the measurement, 0 to an hour
 * @param duration of the measurement, 10 milliseconds to a week
 * @param callers each with a thread of its own, from 1 to 4,000
 * @param batch tasks that a cycle inserts, claims and deletes, from 1 to 1,000
 * @param valueBytes length of values, from 16 bytes, which identify the task, to 1 MiB
 * @param backlog other pending tasks, from 0 to 1,000,000,000
 * @param queues over which callers are spread, from 1 to 100,000
 * @param rate tasks per second in all, however slow the answers; empty: each caller begins its next
 *     cycle after the last one
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
  /** The number of concurrent requests of an engine, less a reserve for observers. */
  public static final int CALLERS_MAX = 4_000;

  public static final int QUEUES_MAX = 100_000;

  public static final long BACKLOG_MAX = 1_000_000_000;

  /** The most bytes of a task in a command besides its value. */
  private static final int TASK_BYTES_MAX = 128;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException with a message for users that names the option
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

  /** The most tasks with such values in one command. */
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
