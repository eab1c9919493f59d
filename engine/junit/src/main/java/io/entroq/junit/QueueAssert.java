package io.entroq.junit;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.opentest4j.AssertionFailedError;

/**
 * Checks what is in a queue: all its tasks, whether available, in flight, or due later. Each check
 * reads the queue again, throws {@link AssertionFailedError} if it fails, and then lists the tasks.
 *
 * <pre>{@code
 * assertThat(queue, "inbox").isEmpty();
 * assertThat(queue, "outbox").hasValues("a", "b");
 * }</pre>
 */
public final class QueueAssert {
  private static final int TASKS_SHOWN_MAX = 20;

  private final EntroQ queue;
  private final String name;

  private QueueAssert(EntroQ queue, String name) {
    this.queue = Objects.requireNonNull(queue, "queue");
    this.name = Objects.requireNonNull(name, "name");
  }

  /** Begins to check the queue of that name. */
  public static QueueAssert assertThat(EntroQ queue, String name) {
    return new QueueAssert(queue, name);
  }

  /** Checks that there is no task. */
  public QueueAssert isEmpty() {
    return hasTasks(0);
  }

  /** Checks the number of tasks. */
  public QueueAssert hasTasks(int count) {
    List<Task> tasks = tasks();
    if (tasks.size() != count) {
      throw failed(count == 0 ? "no task" : tasks(count), tasks, count, tasks.size());
    }
    return this;
  }

  /**
   * Checks the values of all tasks, in any order.
   *
   * @param texts for each task one: a JSON string as its characters, other JSON as compact text;
   *     see {@link Task#text()}
   */
  public QueueAssert hasValues(String... texts) {
    List<Task> tasks = tasks();
    List<String> expected = Stream.of(texts).sorted().toList();
    List<String> actual = tasks.stream().map(Task::text).sorted().toList();
    if (!actual.equals(expected)) {
      throw failed("the values " + expected, tasks, expected, actual);
    }
    return this;
  }

  /**
   * Checks that there is a task that satisfies requirements.
   *
   * @param requirements throws an {@link AssertionError} for a task that does not
   */
  public QueueAssert containsTaskSatisfying(Consumer<? super Task> requirements) {
    List<Task> tasks = tasks();
    StringBuilder reasons = new StringBuilder();
    for (Task task : tasks) {
      try {
        requirements.accept(task);
        return this;
      } catch (AssertionError e) {
        reasons.append("\n  %s: %s".formatted(task.id().text(), e.getMessage()));
      }
    }
    throw new AssertionFailedError(
        message("a task that satisfies the requirements", tasks)
            + (tasks.isEmpty() ? "" : "\nNone does:" + reasons));
  }

  /** In the order in which they were inserted. */
  private List<Task> tasks() {
    return queue.tasks(TaskQuery.in(name)).stream()
        .sorted(Comparator.comparing(Task::created).thenComparing(task -> task.id().text()))
        .toList();
  }

  private AssertionFailedError failed(
      String expectation, List<Task> tasks, Object expected, Object actual) {
    return new AssertionFailedError(message(expectation, tasks), expected, actual);
  }

  private String message(String expectation, List<Task> tasks) {
    Instant now = queue.time();
    StringBuilder text =
        new StringBuilder(
            "expected %s in %s, but there %s %s"
                .formatted(
                    expectation,
                    name,
                    tasks.size() == 1 ? "is" : "are",
                    tasks.isEmpty() ? "none" : tasks(tasks.size())));
    tasks.stream()
        .limit(TASKS_SHOWN_MAX)
        .forEach(task -> text.append("\n  ").append(TaskText.task(task, now)));
    if (tasks.size() > TASKS_SHOWN_MAX) {
      text.append("\n  and %,d more".formatted(tasks.size() - TASKS_SHOWN_MAX));
    }
    return text.toString();
  }

  private static String tasks(int count) {
    return count == 1 ? "1 task" : "%,d tasks".formatted(count);
  }
}
