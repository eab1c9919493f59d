package io.entroq.service.insight;

import io.entroq.api.redrive.ErrorShape;
import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.Task;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Groups dead tasks by why they died. Not thread-safe. */
final class DeadGroups {
  private static final int GROUPS_MAX = 1_000;
  private static final int ERR_CHARS_MAX = 200;

  private record Key(String queue, DeadReason reason, String origin, String shape) {}

  private final Map<Key, DeadGroup.Builder> groups = new HashMap<>();

  void add(Task task) {
    Key key =
        new Key(task.getQueue(), task.getReason(), task.getOrigin(), ErrorShape.of(task.getErr()));
    long diedMs = task.getDeadAtMs() == 0 ? task.getModifiedMs() : task.getDeadAtMs();
    DeadGroup.Builder group =
        groups.computeIfAbsent(
            key,
            first ->
                DeadGroup.newBuilder()
                    .setQueue(key.queue)
                    .setReason(key.reason)
                    .setOrigin(key.origin)
                    .setShape(key.shape)
                    .setOldestMs(diedMs));
    group.setTasks(group.getTasks() + 1).setOldestMs(Math.min(group.getOldestMs(), diedMs));
    if (diedMs >= group.getNewestMs()) {
      String err = task.getErr();
      group
          .setNewestMs(diedMs)
          .setExampleId(task.getId())
          .setExampleErr(err.substring(0, err.offsetByCodePoints(0, length(err))));
    }
  }

  /** How many characters of an error are shown. */
  private static int length(String err) {
    return Math.min(err.codePointCount(0, err.length()), ERR_CHARS_MAX);
  }

  /** The largest first. */
  List<DeadGroup> toList() {
    Stream<DeadGroup> found = groups.values().stream().map(DeadGroup.Builder::build);
    return found
        .sorted(
            Comparator.comparingLong(DeadGroup::getTasks)
                .thenComparingLong(DeadGroup::getNewestMs)
                .reversed())
        .limit(GROUPS_MAX)
        .toList();
  }
}
