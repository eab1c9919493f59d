package io.entroq.simulator.random;

import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.simulator.check.Invariant;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks listings with filters against listings of everything, which the ledger has compared with
 * its own account.
 */
final class ListingCheck {
  private ListingCheck() {}

  static void checkTasks(MachineView view, ListTasks query, long nowMs) {
    List<Task> listed = view.list(query, nowMs);
    List<Task> expected =
        (query.getIdsCount() > 0 ? byId(view, query) : view.tasks(query.getQueue()))
            .stream()
                .filter(task -> isShown(query, task, nowMs))
                .map(task -> asShown(query, task))
                .toList();
    int size = size(query.getLimit(), expected.size());
    boolean isExact =
        listed.size() == size
            && (query.getIdsCount() > 0
                ? listed.equals(expected.subList(0, size))
                : expected.containsAll(listed) && listed.stream().distinct().count() == size);
    require(isExact, query, expected, listed);
  }

  /** In the order of the query. */
  private static List<Task> byId(MachineView view, ListTasks query) {
    List<Task> found = new ArrayList<>();
    for (Id id : query.getIdsList()) {
      Task task = view.find(id);
      if (task != null && isAskedFor(query, id, task)) {
        found.add(task);
      }
    }
    return found;
  }

  private static boolean isAskedFor(ListTasks query, Id id, Task task) {
    return (query.getFacade() == Facade.FACADE_V0 || task.getId().equals(id))
        && (query.getQueue().isEmpty() || query.getQueue().equals(task.getQueue()));
  }

  private static boolean isShown(ListTasks query, Task task, long nowMs) {
    return isNobody(query.getClaimant())
        || task.getArrivalMs() <= nowMs
        || hasKeyOf(task.getClaimant(), query.getClaimant());
  }

  static boolean isNobody(Id id) {
    return (id.getHigh() | id.getLow()) == 0;
  }

  static boolean hasKeyOf(Id one, Id other) {
    return one.getHigh() == other.getHigh() && one.getLow() == other.getLow();
  }

  private static Task asShown(ListTasks query, Task task) {
    return query.getOmitValues()
        ? task.toBuilder().setValueKind(ValueKind.VALUE_ABSENT).clearValue().build()
        : task;
  }

  static void checkQueues(MachineView view, ListQueues query, long nowMs) {
    List<QueueStats> listed =
        view.list(query, nowMs).stream().map(stats -> asShown(query, stats)).toList();
    List<QueueStats> expected =
        view.queues(nowMs).stream()
            .filter(stats -> matches(query, stats.getName()))
            .map(stats -> asShown(query, stats))
            .toList();
    boolean isExact =
        listed.size() == size(query.getLimit(), expected.size())
            && expected.containsAll(listed)
            && listed.stream().distinct().count() == listed.size();
    require(isExact, query, expected, listed);
  }

  private static boolean matches(ListQueues query, String queue) {
    boolean matchesAll = query.getMatchPrefixCount() == 0 && query.getMatchExactCount() == 0;
    return matchesAll
        || query.getMatchExactList().contains(queue)
        || query.getMatchPrefixList().stream().anyMatch(queue::startsWith);
  }

  /** Without figures only name and size mean something. */
  private static QueueStats asShown(ListQueues query, QueueStats stats) {
    return query.getOmitStats()
        ? QueueStats.newBuilder().setName(stats.getName()).setTasks(stats.getTasks()).build()
        : stats;
  }

  private static int size(int limit, int available) {
    return limit <= 0 ? available : Math.min(limit, available);
  }

  private static void require(boolean isExact, Object query, Object expected, Object listed) {
    if (!isExact) {
      throw Invariant.LISTING_COMPLETE.broken(query.toString(), expected, listed);
    }
  }
}
