package io.entroq.api;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The name of a task, unique over all queues of one store.
 *
 * <p>Any text of 1 to 1,024 bytes of UTF-8. Texts that are a lower-case UUID or 16 lower-case hex
 * digits are stored in 16 bytes; any other text is kept whole beside them.
 *
 * <p>Give a task an id of your own, for example one derived from the task that it comes from, when
 * its insertion may be repeated: the second insertion of one id fails with a collision.
 */
public final class TaskId implements Comparable<TaskId> {
  private static final int TEXT_BYTES_MAX = 1024;

  private final String text;

  private TaskId(String text) {
    this.text = text;
  }

  /**
   * Names a task by a text.
   *
   * @throws EntroQException.InvalidArgument if the text is empty or longer than 1,024 bytes of
   *     UTF-8
   */
  public static TaskId of(String text) {
    return new TaskId(Checks.text("task id", text, TEXT_BYTES_MAX));
  }

  /** Names a task by a UUID. */
  public static TaskId of(UUID uuid) {
    return new TaskId(uuid.toString());
  }

  /** A new id that nobody else has: a random UUID. */
  public static TaskId random() {
    return of(UUID.randomUUID());
  }

  /**
   * An id that is a function of this one and a label: always the same for the same two.
   *
   * <p>A task that another one gives rise to gets an id like this, so that it comes into being once
   * however often the work is repeated.
   *
   * @param label tells apart the tasks that come from one task; may be empty
   */
  public TaskId derive(String label) {
    String both = text.length() + ":" + text + label;
    return of(UUID.nameUUIDFromBytes(both.getBytes(StandardCharsets.UTF_8)));
  }

  /** The text of this id. */
  public String text() {
    return text;
  }

  @Override
  public int compareTo(TaskId other) {
    return text.compareTo(other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TaskId that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
