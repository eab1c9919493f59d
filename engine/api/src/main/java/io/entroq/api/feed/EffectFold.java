package io.entroq.api.feed;

import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sums up effects by task: what became of each task that anything happened to. Not thread-safe.
 *
 * <p>An id that is used again counts as the same task.
 */
public final class EffectFold {
  private final int tasksMax;
  private final Map<TaskId, TaskChanges> tasks = new LinkedHashMap<>();

  /**
   * @param tasksMax most tasks to keep; each takes some hundred bytes, and its value if effects
   *     have values
   */
  public EffectFold(int tasksMax) {
    this.tasksMax = tasksMax;
  }

  /**
   * Adds an effect, in the order of the feed. Those on docs and policies change nothing.
   *
   * @throws EntroQException.ResourceExhausted if it is on one task too many; nothing was added
   */
  public void add(Effect effect) {
    if (effect.task().isEmpty()) {
      return;
    }
    Task task = effect.task().get();
    TaskChanges changes = tasks.get(task.id());
    if (changes == null) {
      if (tasks.size() == tasksMax) {
        throw new EntroQException.ResourceExhausted(
            "more than %,d tasks changed: choose points that are closer, or fewer queues"
                .formatted(tasksMax));
      }
      changes = new TaskChanges(effect, task);
      tasks.put(task.id(), changes);
    }
    changes.add(effect, task);
  }

  /** Whether anything happened to a task. */
  public boolean has(TaskId id) {
    return tasks.containsKey(id);
  }

  /** All tasks that anything happened to, in the order of their first effects; unmodifiable. */
  public Collection<TaskChanges> tasks() {
    return Collections.unmodifiableCollection(tasks.values());
  }
}
