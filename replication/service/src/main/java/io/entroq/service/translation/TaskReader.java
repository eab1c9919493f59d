package io.entroq.service.translation;

import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.QueueStatsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.wire.edge.QueueStats;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;

/** Converts the tasks and queues of a result for responses. Any thread. */
public final class TaskReader {
  private final Facade facade;
  private final boolean showsRaw;
  private final TextReader texts;

  /** Reads a result while it is valid. */
  public TaskReader(Facade facade, ResultDecoder result) {
    this(facade, result, false);
  }

  /**
   * Reads a result while it is valid.
   *
   * @param showsRaw whether byte values are shown as bytes, if the API can
   */
  public TaskReader(Facade facade, ResultDecoder result, boolean showsRaw) {
    this.facade = facade;
    this.showsRaw = showsRaw && facade == Facade.V1;
    this.texts = new TextReader(result);
  }

  /** A complete task. */
  public Task whole(TaskDecoder task) {
    Task.Builder builder = common(task).setId(id(task));
    if (task.valueKind() != ValueKinds.ABSENT) {
      byte[] value = texts.bytes(task.valueOffset(), task.valueLength());
      if (showsRaw && task.valueKind() == ValueKinds.BYTES) {
        builder.setRaw(UnsafeByteOperations.unsafeWrap(value));
      } else {
        builder.setValue(facade.showValue(task.valueKind(), value));
      }
    }
    return builder
        .setQueue(text(task.queueOffset(), task.queueLength()))
        .setAttempt(task.attempt())
        .setErr(text(task.errOffset(), task.errLength()))
        .build();
  }

  /**
   * A task whose data the caller has just sent.
   *
   * @param id the caller's; empty if it gave none
   * @param queue where it is now
   */
  Task sent(TaskDecoder task, TaskData data, String id, String queue) {
    // A receipt has only the hash of an id, from which a v1 id may not be restored.
    boolean isIdShown = facade == Facade.V1 && !id.isEmpty();
    Task.Builder builder = common(task).setId(isIdShown ? id : id(task));
    // JSON has at least one byte, and an empty v0 value is no value.
    if (!data.getValue().isEmpty()) {
      builder.setValue(data.getValue());
    } else if (facade == Facade.V1 && data.hasRaw()) {
      builder.setRaw(data.getRaw());
    }
    return builder.setQueue(queue).setAttempt(data.getAttempt()).setErr(data.getErr()).build();
  }

  /** A copy of an insert into a topic, whose data the caller has just sent. */
  Task copy(TaskDecoder task, TaskData data) {
    return sent(task, data, "", text(task.queueOffset(), task.queueLength()));
  }

  private Task.Builder common(TaskDecoder task) {
    Task.Builder builder = Task.newBuilder();
    if (facade == Facade.V1) {
      attributes(task, builder);
    }
    return builder
        .setClaimantId(
            facade.showId(
                task.claimantHigh(),
                task.claimantLow(),
                text(task.claimantTextOffset(), task.claimantTextLength())))
        .setVersion(task.version())
        .setAtMs(task.arrivalMs())
        .setCreatedMs(task.createdMs())
        .setModifiedMs(task.modifiedMs())
        .setClaims(task.claims());
  }

  private void attributes(TaskDecoder task, Task.Builder builder) {
    builder
        .setInFlight(task.inFlight())
        .setLapses(task.lapses())
        .setExpiresMs(Math.max(0, task.expiresMs()));
    if (task.reason() != DeadReasons.NONE) {
      builder
          .setOrigin(text(task.originOffset(), task.originLength()))
          .setReasonValue(task.reason())
          .setDeadAtMs(task.deadAtMs());
    }
    if (task.traceLength() > 0) {
      builder.setTrace(text(task.traceOffset(), task.traceLength()));
    }
  }

  private String id(TaskDecoder task) {
    return facade.showId(
        task.idHigh(), task.idLow(), text(task.idTextOffset(), task.idTextLength()));
  }

  /** A queue by name and size. */
  QueueStats size(QueueStatsDecoder queue) {
    return named(queue).build();
  }

  /** A queue with its statistics. */
  QueueStats figures(QueueStatsDecoder queue) {
    QueueStats.Builder stats =
        named(queue)
            .setNumAvailable(Facade.count(queue.available()))
            .setMaxClaims(queue.maxClaims());
    if (facade == Facade.V1) {
      ownFigures(queue, stats);
    }
    facade.showFigures(queue, stats);
    return stats.build();
  }

  private static void ownFigures(QueueStatsDecoder queue, QueueStats.Builder stats) {
    if (queue.available() > 0) {
      stats.setOldestAvailableMs(queue.oldestAgeMs());
    }
    stats
        .setInFlight(queue.inFlight())
        .setPausedUntilMs(queue.pausedUntilMs())
        .setNextStartMs(queue.nextStartMs())
        .setClaimable(queue.claimable())
        .setLapsed(queue.lapsed())
        .setDead(queue.dead())
        .setBytes(queue.bytes());
  }

  private QueueStats.Builder named(QueueStatsDecoder queue) {
    return QueueStats.newBuilder()
        .setName(text(queue.nameOffset(), queue.nameLength()))
        .setNumTasks(Facade.count(queue.tasks()));
  }

  String text(int offset, int length) {
    return texts.text(offset, length);
  }
}
