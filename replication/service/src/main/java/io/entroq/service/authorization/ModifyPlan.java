package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The permissions that a Modify of the v0 API needs, and a way to run it that needs no others. Its
 * changes, deletes and dependencies need not name the queues of their tasks, nor the right ones.
 *
 * <p>A task in the version that the request names is authorized under its real queue. If it leaves
 * that queue before the Modify runs, its version is higher, and the Modify fails. One case remains:
 * a task that is deleted and inserted into another queue under the same id while the authorizer
 * decides. Reused ids should therefore be unpredictable.
 *
 * <p>A task in another version makes the Modify fail, and the caller must not learn its queue. So
 * the queue that the request names is authorized. While the authorizer decides, the task might
 * reach the named version in a queue that was never authorized. So the Modify is sent with an
 * {@linkplain #impossible impossible version}, with which it always fails.
 *
 * <p>A denial for a task whose queue the request does not name is not reported: the request is
 * {@linkplain #without planned again} as if that task did not exist.
 */
final class ModifyPlan {
  /** No task can reach this version while a request is being authorized. */
  static final int IMPOSSIBLE_VERSION = Integer.MAX_VALUE;

  private final TaskLocations locations;
  private final ModifyRequest request;
  private final List<Permission> permissions = new ArrayList<>();

  /** The permissions for tasks whose queues the request does not name, by the tasks' ids. */
  private final Map<String, List<Permission>> unnamed = new HashMap<>();

  private boolean isCertain = true;

  ModifyPlan(TaskLocations locations, ModifyRequest request) {
    this.locations = locations;
    this.request = request;
    request.getInsertsList().forEach(this::insert);
    request.getChangesList().forEach(this::change);
    request.getDeletesList().forEach(task -> refer(Action.DELETE, task));
    request.getDependsList().forEach(task -> refer(Action.READ, task));
  }

  /** The ids of tasks that must exist for a Modify to succeed. */
  static List<String> ids(ModifyRequest request) {
    List<String> ids = new ArrayList<>();
    request.getChangesList().forEach(change -> ids.add(change.getOldId().getId()));
    request.getDeletesList().forEach(task -> ids.add(task.getId()));
    request.getDependsList().forEach(task -> ids.add(task.getId()));
    return ids;
  }

  ModifyRequest request() {
    return request;
  }

  /** The permissions on queues. */
  List<Permission> permissions() {
    return permissions;
  }

  /** Whether the Modify can succeed as sent; otherwise it fails by its dependencies. */
  boolean isCertain() {
    return isCertain;
  }

  /**
   * The plan without the denied tasks whose queues the request does not name, as the caller must
   * not know about them. Empty if there are none: then the denial may be reported.
   */
  Optional<ModifyPlan> without(Decision decision) {
    TaskLocations visible =
        locations.without(
            task ->
                unnamed.getOrDefault(task.getId(), List.of()).stream().anyMatch(decision::covers));
    return visible.tasks().size() == locations.tasks().size()
        ? Optional.empty()
        : Optional.of(new ModifyPlan(visible, request));
  }

  private void insert(TaskData data) {
    permissions.add(Permission.of(Action.INSERT, data.getQueue()));
  }

  private void change(TaskChange change) {
    TaskID old = change.getOldId();
    Optional<Task> location = location(change);
    String from = queue(old, location);
    String to = change.getNewData().getQueue();
    boolean isMove = !from.equals(to);
    permission(old, Permission.of(isMove ? Action.DELETE : Action.CHANGE, from));
    if (isMove) {
      permissions.add(Permission.of(Action.INSERT, to));
    }
    isCertain &= location.isPresent();
  }

  private void refer(Action action, TaskID task) {
    Optional<Task> location = location(task);
    permission(task, Permission.of(action, queue(task, location)));
    isCertain &= location.isPresent();
  }

  private void permission(TaskID named, Permission permission) {
    permissions.add(permission);
    if (!permission.name().equals(named.getQueue())) {
      locations
          .find(named.getId())
          .ifPresent(
              task ->
                  unnamed.computeIfAbsent(task.getId(), id -> new ArrayList<>()).add(permission));
    }
  }

  /** The task to be changed, in any queue: for this API, the engine ignores the named queue. */
  private Optional<Task> location(TaskChange change) {
    TaskID old = change.getOldId();
    return locations.find(old.getId()).filter(task -> task.getVersion() == old.getVersion());
  }

  private Optional<Task> location(TaskID named) {
    return locations
        .find(named.getId())
        .filter(task -> task.getVersion() == named.getVersion())
        .filter(task -> named.getQueue().isEmpty() || named.getQueue().equals(task.getQueue()));
  }

  /** The real queue; the named one if the request cannot match the task. */
  private String queue(TaskID named, Optional<Task> location) {
    return location
        .or(() -> named.getQueue().isEmpty() ? locations.find(named.getId()) : Optional.empty())
        .map(Task::getQueue)
        .orElse(named.getQueue());
  }

  /** A Modify that always fails, for the same reasons. */
  ModifyRequest impossible() {
    ModifyRequest.Builder impossible = request.toBuilder();
    for (TaskChange.Builder change : impossible.getChangesBuilderList()) {
      if (location(change.build()).isEmpty()) {
        change.getOldIdBuilder().setVersion(IMPOSSIBLE_VERSION);
      }
    }
    for (int i = 0; i < request.getDeletesCount(); i++) {
      if (location(request.getDeletes(i)).isEmpty()) {
        impossible.getDeletesBuilder(i).setVersion(IMPOSSIBLE_VERSION);
      }
    }
    for (int i = 0; i < request.getDependsCount(); i++) {
      if (location(request.getDepends(i)).isEmpty()) {
        impossible.getDependsBuilder(i).setVersion(IMPOSSIBLE_VERSION);
      }
    }
    return impossible.build();
  }
}
