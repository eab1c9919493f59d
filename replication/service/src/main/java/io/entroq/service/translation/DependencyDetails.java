package io.entroq.service.translation;

import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyRef;
import io.entroq.codec.wire.edge.TaskID;
import java.util.HashSet;
import java.util.Set;

/** The reasons why a Modify failed, an entry for each (contract 1.9.1). */
final class DependencyDetails {
  static final String MESSAGE = "modification dependency error";

  private final Facade facade;
  private final ModifyRequest request;
  private final Set<DocID> heldSets = new HashSet<>();

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
      add(result, result.failure(i), entries);
    }
    return entries.refusal(MESSAGE);
  }

  private void add(ResultDecoder result, FailureDecoder failure, DetailList entries) {
    int index = failure.index();
    switch (failure.itemKind()) {
      case ItemKinds.INSERT -> {
        entries.add(entry(ActionType.INSERT, existing(result, failure)));
        entries.text("inserts[" + index + "] exists");
      }
      case ItemKinds.CHANGE -> {
        TaskID task = request.getChanges(index).getOldId();
        addTask(result, failure, "changes", entry(ActionType.CHANGE, withoutQueue(task)), entries);
      }
      case ItemKinds.DELETE -> {
        TaskID task = request.getDeletes(index);
        addTask(result, failure, "deletes", entry(ActionType.DELETE, task), entries);
      }
      case ItemKinds.DEPEND -> {
        TaskID task = request.getDepends(index);
        addTask(result, failure, "depends", entry(ActionType.DEPEND, task), entries);
      }
      case ItemKinds.FAIL -> {
        TaskID task = request.getFails(index).getId();
        addTask(result, failure, "fails", entry(ActionType.CHANGE, task), entries);
      }
      case ItemKinds.POLICY_PUT -> {
        Policy policy = request.getPolicyPuts(index);
        addPolicy(
            failure,
            "policy_puts",
            ActionType.CHANGE,
            PolicyRef.newBuilder().setKind(policy.getKind()).setName(policy.getName()),
            entries);
      }
      case ItemKinds.POLICY_DELETE ->
          addPolicy(
              failure,
              "policy_deletes",
              ActionType.DELETE,
              request.getPolicyDeletes(index).toBuilder(),
              entries);
      case ItemKinds.DOC_INSERT -> addInsert(result, failure, entries);
      case ItemKinds.DOC_CHANGE ->
          addDoc(result, failure, "doc_changes", changedDoc(failure), entries);
      case ItemKinds.DOC_DELETE -> {
        DocID doc = request.getDocDeletes(index);
        addDoc(result, failure, "doc_deletes", entry(ActionType.DELETE, doc), entries);
      }
      case ItemKinds.DOC_DEPEND -> {
        DocID doc = request.getDocDepends(index);
        addDoc(result, failure, "doc_depends", entry(ActionType.DEPEND, doc), entries);
      }
      default -> throw new IllegalStateException("an item of an unknown kind failed");
    }
  }

  private static String text(FailureDecoder failure, String list) {
    return list
        + "["
        + failure.index()
        + (failure.claimed() ? "] claimed by another" : "] missing or mismatched");
  }

  /**
   * @param mismatch the entry if it is not claimed
   */
  private void addTask(
      ResultDecoder result,
      FailureDecoder failure,
      String list,
      ModifyDep mismatch,
      DetailList entries) {
    entries.add(
        failure.claimed()
            ? entry(ActionType.CLAIM, claimed(result, failure, mismatch.getId()))
            : mismatch);
    entries.text(text(failure, list));
  }

  private static void addPolicy(
      FailureDecoder failure,
      String list,
      ActionType type,
      PolicyRef.Builder policy,
      DetailList entries) {
    policy.setExpectedVersion(failure.existingVersion());
    entries.add(ModifyDep.newBuilder().setType(type).setPolicy(policy).build());
    entries.text(text(failure, list));
  }

  /** A claimed task with its queue, which tools print. */
  private TaskID claimed(ResultDecoder result, FailureDecoder failure, TaskID task) {
    String queue = name(result, failure);
    return queue.isEmpty() ? task : task.toBuilder().setQueue(queue).build();
  }

  private String name(ResultDecoder result, FailureDecoder failure) {
    return new TaskReader(facade, result)
        .text(failure.existingNameOffset(), failure.existingNameLength());
  }

  /** A claim of a set is reported once, then each doc of it that the request names. */
  private void addDoc(
      ResultDecoder result,
      FailureDecoder failure,
      String list,
      ModifyDep mismatch,
      DetailList entries) {
    DocID doc = mismatch.getDocId();
    if (failure.claimed()) {
      addHeldSet(result, failure, doc.getNamespace(), entries);
      if (doc.hasId()) {
        entries.add(entry(ActionType.CLAIM, doc));
      }
    } else {
      entries.add(mismatch);
    }
    entries.text(text(failure, list));
  }

  private void addHeldSet(
      ResultDecoder result, FailureDecoder failure, String namespace, DetailList entries) {
    DocID set =
        DocID.newBuilder()
            .setNamespace(namespace)
            .setKey(name(result, failure))
            .setVersion(failure.existingVersion())
            .build();
    if (heldSets.add(set)) {
      entries.add(entry(ActionType.CLAIM, set));
    }
  }

  /** A set whose lease was to change is reported with its version, so that the caller can retry. */
  private ModifyDep changedDoc(FailureDecoder failure) {
    DocID doc = request.getDocChanges(failure.index()).getOldId();
    return entry(
        ActionType.CHANGE,
        doc.hasKey() ? doc.toBuilder().setVersion(failure.existingVersion()).build() : doc);
  }

  private void addInsert(ResultDecoder result, FailureDecoder failure, DetailList entries) {
    int index = failure.index();
    DocData insert = request.getDocInserts(index);
    if (failure.claimed()) {
      addHeldSet(result, failure, insert.getNamespace(), entries);
      if (!insert.getId().isEmpty()) {
        entries.add(
            entry(
                ActionType.CLAIM,
                DocID.newBuilder()
                    .setNamespace(insert.getNamespace())
                    .setId(insert.getId())
                    .build()));
      }
      entries.text(text(failure, "doc_inserts"));
    } else {
      entries.add(entry(ActionType.INSERT, existing(result, failure, insert)));
      entries.text("doc_inserts[" + index + "] exists");
    }
  }

  static ModifyDep entry(ActionType type, TaskID task) {
    return ModifyDep.newBuilder().setType(type).setId(task).build();
  }

  static ModifyDep entry(ActionType type, DocID doc) {
    return ModifyDep.newBuilder().setType(type).setDocId(doc).build();
  }

  private static TaskID withoutQueue(TaskID task) {
    return TaskID.newBuilder().setId(task.getId()).setVersion(task.getVersion()).build();
  }

  /** The existing task, which has the id of the insert or of one of its copies. */
  private TaskID existing(ResultDecoder result, FailureDecoder failure) {
    String id = request.getInserts(failure.index()).getId();
    if ((failure.existingIdHigh() | failure.existingIdLow()) != 0) {
      id = facade.showId(failure.existingIdHigh(), failure.existingIdLow(), "");
    } else if (id.isEmpty()) {
      id = derivedId(failure.index());
    }
    return TaskID.newBuilder()
        .setId(id)
        .setVersion(failure.existingVersion())
        .setQueue(name(result, failure))
        .build();
  }

  /**
   * The doc that has the place of the inserted one, at its version; or the one that has its id,
   * without a version.
   */
  private DocID existing(ResultDecoder result, FailureDecoder failure, DocData insert) {
    DocID.Builder existing = DocID.newBuilder().setNamespace(insert.getNamespace());
    if ((failure.existingIdHigh() | failure.existingIdLow()) != 0) {
      return existing
          .setId(
              Facade.V1.showId(
                  failure.existingIdHigh(),
                  failure.existingIdLow(),
                  new TaskReader(facade, result)
                      .text(failure.existingIdTextOffset(), failure.existingIdTextLength())))
          .setVersion(failure.existingVersion())
          .build();
    }
    String id =
        insert.getId().isEmpty()
            ? ModifyCommandWriter.insertId(
                    insert, RequestIdentities.of(facade, request), failure.index())
                .v1Text()
            : insert.getId();
    return existing.setId(id).build();
  }

  /** Random ids do not collide; a derived one does if its receipt is gone. */
  private String derivedId(int index) {
    return ModifyCommandWriter.insertId(
            facade, request.getInserts(index), RequestIdentities.of(facade, request), index)
        .v1Text();
  }
}
