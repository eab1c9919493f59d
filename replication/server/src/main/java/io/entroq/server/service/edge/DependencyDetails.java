package io.entroq.server.service.edge;

import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskID;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Why a Modify was not done, an entry for each reason, contract 1.9.1.
 *
 * <p>Details travel in trailers, of which some clients take no more than 8 KiB; past that they
 * would see no error that they know. So past a bound entries are left out, and said to be. Each
 * kind has at least one, since clients go by what kinds there are; and what is left out of
 * collisions they learn when they try without those that they know.
 */
final class DependencyDetails {
  static final String MESSAGE = "modification dependency error";

  /** What fits into 8 KiB as base64 beside the other trailers. */
  private static final int BYTES_MAX = 5_600;

  /** The Any around an entry: its type's name and three tags. */
  private static final int BYTES_AROUND = 48;

  private final Facade facade;
  private final ModifyRequest request;
  private final List<ModifyDep> entries = new ArrayList<>();
  private final Set<ActionType> kinds = EnumSet.noneOf(ActionType.class);
  private int bytes;

  DependencyDetails(Facade facade, ModifyRequest request) {
    this.facade = facade;
    this.request = request;
  }

  Refusal refusal(ResultDecoder result) {
    for (int i = 0; i < result.failureCount(); i++) {
      add(entry(result, result.failure(i)));
    }
    entries.add(0, detail(result.failureCount() - entries.size()));
    return new Refusal(Status.Code.NOT_FOUND, MESSAGE, entries);
  }

  private void add(ModifyDep entry) {
    int size = entry.getSerializedSize() + BYTES_AROUND;
    if (kinds.add(entry.getType()) || bytes + size <= BYTES_MAX) {
      entries.add(entry);
      bytes += size;
    }
  }

  private static ModifyDep detail(int leftOut) {
    ModifyDep.Builder detail = ModifyDep.newBuilder().setType(ActionType.DETAIL);
    return leftOut == 0
        ? detail.build()
        : detail.setMsg("and " + leftOut + " more that would not fit").build();
  }

  private ModifyDep entry(ResultDecoder result, FailureDecoder failure) {
    int index = failure.index();
    return switch (failure.itemKind()) {
      case ItemKinds.INSERT -> entry(ActionType.INSERT, existing(result, failure));
      case ItemKinds.CHANGE -> {
        TaskID task = request.getChanges(index).getOldId();
        yield entry(failure, ActionType.CHANGE, withoutQueue(task));
      }
      case ItemKinds.DELETE -> entry(failure, ActionType.DELETE, request.getDeletes(index));
      case ItemKinds.DEPEND -> entry(ActionType.DEPEND, request.getDepends(index));
      default -> throw new IllegalStateException("an item of an unknown kind failed");
    };
  }

  private static ModifyDep entry(FailureDecoder failure, ActionType otherwise, TaskID task) {
    return failure.claimed() ? entry(ActionType.CLAIM, withoutQueue(task)) : entry(otherwise, task);
  }

  private static ModifyDep entry(ActionType type, TaskID task) {
    return ModifyDep.newBuilder().setType(type).setId(task).build();
  }

  private static TaskID withoutQueue(TaskID task) {
    return TaskID.newBuilder().setId(task.getId()).setVersion(task.getVersion()).build();
  }

  /** The task that is there already. */
  private TaskID existing(ResultDecoder result, FailureDecoder failure) {
    String given = request.getInserts(failure.index()).getId();
    return TaskID.newBuilder()
        .setId(given.isEmpty() ? derivedId(failure.index()) : given)
        .setVersion(failure.existingVersion())
        .setQueue(
            new TaskReader(facade, result)
                .text(failure.existingQueueOffset(), failure.existingQueueLength()))
        .build();
  }

  /** Nobody's random id collides; but one that is derived does if its receipt is gone. */
  private String derivedId(int index) {
    return ModifyWriting.insertId(
            facade, request.getInserts(index), Identities.of(facade, request), index)
        .v1Text();
  }
}
