package io.entroq.service.translation;

import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskID;

/** The reasons why a Modify failed, an entry for each (contract 1.9.1). */
final class DependencyDetails {
  static final String MESSAGE = "modification dependency error";

  private final Facade facade;
  private final ModifyRequest request;

  DependencyDetails(Facade facade, ModifyRequest request) {
    this.facade = facade;
    this.request = request;
  }

  /**
   * The refusal with all details.
   *
   * @param bytesMax the space for entries, in bytes
   */
  Refusal refusal(ResultDecoder result, int bytesMax) {
    DetailList entries = new DetailList(bytesMax);
    for (int i = 0; i < result.failureCount(); i++) {
      entries.add(entry(result, result.failure(i)));
    }
    return entries.refusal(MESSAGE);
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
      case ItemKinds.DOC_INSERT -> entry(ActionType.INSERT, existing(index));
      case ItemKinds.DOC_CHANGE ->
          entry(failure, ActionType.CHANGE, request.getDocChanges(index).getOldId());
      case ItemKinds.DOC_DELETE -> entry(failure, ActionType.DELETE, request.getDocDeletes(index));
      case ItemKinds.DOC_DEPEND -> entry(ActionType.DEPEND, request.getDocDepends(index));
      default -> throw new IllegalStateException("an item of an unknown kind failed");
    };
  }

  private static ModifyDep entry(FailureDecoder failure, ActionType otherwise, TaskID task) {
    return failure.claimed() ? entry(ActionType.CLAIM, withoutQueue(task)) : entry(otherwise, task);
  }

  private static ModifyDep entry(ActionType type, TaskID task) {
    return ModifyDep.newBuilder().setType(type).setId(task).build();
  }

  private static ModifyDep entry(FailureDecoder failure, ActionType otherwise, DocID doc) {
    return entry(failure.claimed() ? ActionType.CLAIM : otherwise, doc);
  }

  static ModifyDep entry(ActionType type, DocID doc) {
    return ModifyDep.newBuilder().setType(type).setDocId(doc).build();
  }

  private static TaskID withoutQueue(TaskID task) {
    return TaskID.newBuilder().setId(task.getId()).setVersion(task.getVersion()).build();
  }

  /** The existing task. */
  private TaskID existing(ResultDecoder result, FailureDecoder failure) {
    String given = request.getInserts(failure.index()).getId();
    return TaskID.newBuilder()
        .setId(given.isEmpty() ? derivedId(failure.index()) : given)
        .setVersion(failure.existingVersion())
        .setQueue(
            new TaskReader(facade, result)
                .text(failure.existingNameOffset(), failure.existingNameLength()))
        .build();
  }

  /** The existing doc, without its version. */
  private DocID existing(int index) {
    DocData insert = request.getDocInserts(index);
    String id =
        insert.getId().isEmpty()
            ? ModifyCommandWriter.insertId(insert, RequestIdentities.of(facade, request), index)
                .v1Text()
            : insert.getId();
    return DocID.newBuilder().setNamespace(insert.getNamespace()).setId(id).build();
  }

  /** Random ids do not collide; a derived one does if its receipt is gone. */
  private String derivedId(int index) {
    return ModifyCommandWriter.insertId(
            facade, request.getInserts(index), RequestIdentities.of(facade, request), index)
        .v1Text();
  }
}
