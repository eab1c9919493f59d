package io.entroq.server.cli.queue.options;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.tools.terminal.CommandException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A task on the command line: {@code ID}, or {@code ID:VERSION} for that version only. An id may
 * itself end with a colon and digits, so only the queue can tell which is meant. Immutable.
 */
public final class TaskName {
  private static final Pattern VERSIONED = Pattern.compile("(.+):(\\d{1,10})", Pattern.DOTALL);
  private static final int ANY_VERSION = -1;

  private final TaskId whole;

  /** The part before the version; the whole text without a version. */
  private final TaskId id;

  private final int version;

  private TaskName(TaskId whole, TaskId id, int version) {
    this.whole = whole;
    this.id = id;
    this.version = version;
  }

  /**
   * Parses a task name.
   *
   * @throws EntroQException.InvalidArgument if the text is invalid
   */
  public static TaskName of(String text) {
    TaskId whole = TaskId.of(text);
    Matcher matcher = VERSIONED.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(2)) > Integer.MAX_VALUE) {
      return new TaskName(whole, whole, ANY_VERSION);
    }
    return new TaskName(whole, TaskId.of(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** The possible ids, the whole text first. */
  public List<TaskId> candidates() {
    return whole.equals(id) ? List.of(id) : List.of(whole, id);
  }

  /** Whether this may name the task. */
  public boolean matches(Task task) {
    return task.id().equals(whole) || (task.id().equals(id) && matchesVersion(task));
  }

  private boolean matchesVersion(Task task) {
    return version == ANY_VERSION || task.version() == version;
  }

  /**
   * The task, if it exists.
   *
   * @param queueName the queue that it must be in; empty: any
   * @param omitValues whether to omit its value
   */
  public Optional<Task> find(EntroQ queue, String queueName, boolean omitValues) {
    return newest(queue, queueName, omitValues).filter(this::matches);
  }

  /**
   * The task.
   *
   * @param queueName the queue that it must be in; empty: any
   * @throws CommandException if it does not exist or has another version
   */
  public Task require(EntroQ queue, String queueName) {
    Task task =
        newest(queue, queueName, false)
            .orElseThrow(
                () ->
                    new CommandException(
                        "there is no task %s%s"
                            .formatted(id, queueName.isEmpty() ? "" : " in queue " + queueName)));
    if (!matches(task)) {
      throw new CommandException(
          "task %s has version %d, not %d".formatted(id, task.version(), version));
    }
    return task;
  }

  private Optional<Task> newest(EntroQ queue, String queueName, boolean omitValues) {
    TaskQuery query = new TaskQuery(queueName, candidates(), "", 1, omitValues);
    return queue.tasks(query).stream().findFirst();
  }

  /** The text as given. */
  @Override
  public String toString() {
    return whole.text();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TaskName name && whole.equals(name.whole);
  }

  @Override
  public int hashCode() {
    return whole.hashCode();
  }

  public static final class Converter implements ITypeConverter<TaskName> {
    @Override
    public TaskName convert(String text) {
      try {
        return of(text);
      } catch (EntroQException.InvalidArgument e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
