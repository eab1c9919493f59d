package io.entroq.workers;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Outcome;
import java.util.Optional;

/**
 * Where results go, and how often failed work is repeated. Immutable.
 *
 * <p>The result of a task is inserted into its outbox, or into its errbox if the work failed, by
 * the Modify that deletes the task. So there is one result for each task, however often the work
 * was done.
 *
 * @param outbox the queue for results; empty for the task's queue followed by {@code /done}
 * @param errbox the queue for results of failed work; empty for the task's queue followed by {@code
 *     /error}
 * @param namedByTasks whether a task may name an {@code outbox} and an {@code errbox} of its own,
 *     as EntroQ's workers allow. Whoever may insert such tasks may then insert results into any
 *     queue that the worker may write
 * @param retries how often failed work is repeated, after the delay of the worker or of the queue's
 *     policy, before its result goes to the errbox; 0 to 1,000
 */
public record Results(
    Optional<String> outbox, Optional<String> errbox, boolean namedByTasks, int retries) {
  /** Results beyond this many bytes are not inserted: servers refuse larger values by default. */
  static final int VALUE_BYTES_MAX = 1 << 20;

  private static final int RETRIES_MAX = 1_000;
  private static final int REASON_CHARS_MAX = 1_000;

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Results {
    outbox.ifPresent(TaskQuery::in);
    errbox.ifPresent(TaskQuery::in);
    if (retries < 0 || retries > RETRIES_MAX) {
      throw new EntroQException.InvalidArgument("retries must be from 0 to 1,000, is " + retries);
    }
  }

  /** {@code QUEUE/done} and {@code QUEUE/error}, whatever tasks say, and no retries. */
  public static Results standard() {
    return new Results(Optional.empty(), Optional.empty(), false, 0);
  }

  /** Results go to this queue, those of failed work as before. */
  public static Results to(String outbox) {
    return standard().withOutbox(outbox);
  }

  public Results withOutbox(String queue) {
    return new Results(Optional.of(queue), errbox, namedByTasks, retries);
  }

  public Results withErrbox(String queue) {
    return new Results(outbox, Optional.of(queue), namedByTasks, retries);
  }

  public Results withRetries(int count) {
    return new Results(outbox, errbox, namedByTasks, count);
  }

  /** Lets tasks name their own queues for results. */
  public Results namedByTasksToo() {
    return new Results(outbox, errbox, true, retries);
  }

  /**
   * The queues of one task.
   *
   * @param ownOutbox what the task names; null or empty if it names none
   * @param ownErrbox what the task names; null or empty if it names none
   * @throws io.entroq.api.worker.OutcomeException that quarantines the task, if it names a queue
   *     that it may not name, or no valid one
   */
  Destination of(Task task, String ownOutbox, String ownErrbox) {
    return new Destination(
        task,
        choose("outbox", ownOutbox, outbox.orElse(task.queue() + "/done")),
        choose("errbox", ownErrbox, errbox.orElse(task.queue() + "/error")));
  }

  private String choose(String name, String own, String given) {
    if (own == null || own.isEmpty() || own.equals(given)) {
      return given;
    }
    if (!namedByTasks) {
      throw Json.malformed(
          "the task names the %s %s, which this worker does not allow; its %s is %s"
              .formatted(name, shorten(own), name, given));
    }
    try {
      return TaskQuery.in(own).queue();
    } catch (EntroQException.InvalidArgument e) {
      throw Json.malformed("the task names an invalid %s: %s".formatted(name, e.getMessage()));
    }
  }

  static String shorten(String text) {
    return text.length() <= REASON_CHARS_MAX ? text : text.substring(0, REASON_CHARS_MAX) + "...";
  }

  /**
   * Where the result of one task goes.
   *
   * @param outbox the queue for its result
   * @param errbox the queue for its result if the work failed
   */
  record Destination(Task task, String outbox, String errbox) {
    /** Deletes the task and inserts the result. */
    Outcome done(Object result) {
      return insert(outbox, result);
    }

    /** Deletes the task and inserts the result of failed work. */
    Outcome failed(String suffix, Object result) {
      return insert(errbox + suffix, result);
    }

    private Outcome insert(String queue, Object result) {
      Value value = Json.write(result);
      if (value.size() > VALUE_BYTES_MAX) {
        return Outcome.quarantine(
            "the result has %,d bytes; at most %,d can be inserted"
                .formatted(value.size(), VALUE_BYTES_MAX));
      }
      return Outcome.done(Modification.insert(Insert.into(queue).withValue(value)));
    }
  }

  /** Whether failed work on this task is repeated before its result is inserted. */
  boolean repeats(Task task) {
    return task.attempt() < retries;
  }
}
