package io.entroq.client.translation;

import com.google.protobuf.ByteString;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceStats;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.spi.PolicyNumbers;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespaceStat;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.PositionResponse;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TaskID;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts responses to results of the API. Any thread. */
public final class WireTasks {
  private WireTasks() {}

  public static List<Task> claimed(ClaimResponse response) {
    if (!response.hasTask()) {
      return List.of();
    }
    List<Task> tasks = new ArrayList<>(1 + response.getMoreCount());
    tasks.add(of(response.getTask()));
    response.getMoreList().forEach(task -> tasks.add(of(task)));
    return tasks;
  }

  public static ModifyResult.Committed committed(ModifyResponse response) {
    return new ModifyResult.Committed(
        of(response.getInsertedList()),
        of(response.getChangedList()),
        of(response.getClaimedList()),
        WireDocs.of(response.getInsertedDocsList()),
        WireDocs.of(response.getChangedDocsList()),
        WireDocs.sets(response.getChangedDocsList()),
        of(response.getFailedList()),
        response.getPoliciesList().stream().map(WirePolicies::entry).toList());
  }

  public static List<Task> of(List<io.entroq.codec.wire.edge.Task> tasks) {
    return tasks.stream().map(WireTasks::of).toList();
  }

  public static Task of(io.entroq.codec.wire.edge.Task task) {
    return new Task(
        TaskId.of(task.getId()),
        task.getVersion(),
        task.getQueue(),
        Instant.ofEpochMilli(task.getAtMs()),
        task.getClaimantId(),
        value(task.hasRaw(), task.getRaw(), task.hasValue(), task.getValue()),
        Instant.ofEpochMilli(task.getCreatedMs()),
        Instant.ofEpochMilli(task.getModifiedMs()),
        task.getClaims(),
        task.getAttempt(),
        task.getErr(),
        attributes(task));
  }

  private static Task.Attributes attributes(io.entroq.codec.wire.edge.Task task) {
    boolean isDead = task.getReason() != DeadReason.DEAD_NONE;
    boolean hasMore =
        task.getInFlight()
            || task.getLapses() != 0
            || task.getExpiresMs() != 0
            || isDead
            || !task.getTrace().isEmpty();
    return hasMore
        ? new Task.Attributes(
            task.getInFlight(),
            task.getLapses(),
            PolicyNumbers.time(task.getExpiresMs()),
            isDead ? Optional.of(death(task)) : Optional.empty(),
            task.getTrace())
        : Task.Attributes.none();
  }

  private static Task.Death death(io.entroq.codec.wire.edge.Task task) {
    Task.DeadReason reason =
        switch (task.getReason()) {
          case DEAD_LAPSED -> Task.DeadReason.LAPSED;
          case DEAD_EXPIRED -> Task.DeadReason.EXPIRED;
          case DEAD_OVERFLOW -> Task.DeadReason.OVERFLOW;
          default -> Task.DeadReason.FAILED;
        };
    return new Task.Death(task.getOrigin(), reason, Instant.ofEpochMilli(task.getDeadAtMs()));
  }

  static Value value(boolean hasRaw, ByteString raw, boolean hasJson, ByteString json) {
    if (hasRaw) {
      return Value.wrap(Value.Kind.BYTES, raw.toByteArray());
    }
    return hasJson ? Value.wrap(Value.Kind.JSON, json.toByteArray()) : Value.absent();
  }

  static TaskRef ref(TaskID id) {
    return new TaskRef(TaskId.of(id.getId()), id.getVersion(), id.getQueue());
  }

  public static Map<String, Long> sizes(QueuesResponse response) {
    Map<String, Long> sizes = new LinkedHashMap<>();
    response
        .getQueuesList()
        .forEach(queue -> sizes.put(queue.getName(), (long) queue.getNumTasks()));
    return sizes;
  }

  public static Map<String, QueueStats> stats(QueuesResponse response) {
    Map<String, QueueStats> stats = new LinkedHashMap<>();
    response.getQueuesList().forEach(queue -> stats.put(queue.getName(), stats(queue)));
    return stats;
  }

  private static QueueStats stats(io.entroq.codec.wire.edge.QueueStats queue) {
    return new QueueStats(
        queue.getName(),
        queue.getNumTasks(),
        queue.getNumAvailable(),
        queue.getNumClaimed(),
        queue.getNumFuture(),
        queue.getMaxClaims(),
        queue.hasOldestAvailableMs()
            ? Optional.of(Duration.ofMillis(queue.getOldestAvailableMs()))
            : Optional.empty(),
        queue.getInFlight(),
        queue.getClaimable(),
        PolicyNumbers.pausedUntil(queue.getPausedUntilMs()),
        PolicyNumbers.time(queue.getNextStartMs()),
        queue.getLapsed(),
        queue.getDead(),
        queue.getBytes());
  }

  public static Map<String, NamespaceStats> namespaces(NamespacesResponse response) {
    Map<String, NamespaceStats> stats = new LinkedHashMap<>();
    for (NamespaceStat namespace : response.getNamespacesList()) {
      stats.put(
          namespace.getName(),
          new NamespaceStats(
              namespace.getName(), namespace.getNumDocs(), namespace.getNumClaimed()));
    }
    return stats;
  }

  public static Optional<Task.Position> position(PositionResponse response) {
    return response.getExists()
        ? Optional.of(
            new Task.Position(
                response.hasAhead() ? OptionalLong.of(response.getAhead()) : OptionalLong.empty(),
                response.getReady(),
                PolicyNumbers.time(response.getExpectedStartMs())))
        : Optional.empty();
  }
}
