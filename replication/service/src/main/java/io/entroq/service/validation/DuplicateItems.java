package io.entroq.service.validation;

import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskID;
import java.util.HashSet;
import java.util.Set;

/**
 * Refuses a Modify that has a task, a doc, a doc set or the place of a doc in more than one
 * operation: their order would matter, and there is none.
 */
final class DuplicateItems {
  private static final String TWICE = " appears in more than one operation of the modification";

  private DuplicateItems() {}

  static void refuse(ModifyRequest modify) {
    // Most requests need no set.
    if (TaskRules.count(modify) > 1) {
      refuseTasks(modify);
    }
    if (DocRules.count(modify) > 1) {
      refuseDocs(modify);
    }
  }

  private static void refuseTasks(ModifyRequest modify) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < modify.getInsertsCount(); i++) {
      String id = modify.getInserts(i).getId();
      if (!id.isEmpty()) {
        addTask(seen, id);
      }
    }
    for (int i = 0; i < modify.getChangesCount(); i++) {
      addTask(seen, modify.getChanges(i).getOldId().getId());
    }
    for (TaskID task : modify.getDeletesList()) {
      addTask(seen, task.getId());
    }
    for (TaskID task : modify.getDependsList()) {
      addTask(seen, task.getId());
    }
    for (int i = 0; i < modify.getFailsCount(); i++) {
      addTask(seen, modify.getFails(i).getId().getId());
    }
  }

  private static void addTask(Set<String> seen, String id) {
    if (!seen.add(id)) {
      throw Invalid.because("task \"%s\"" + TWICE, id);
    }
  }

  private static void refuseDocs(ModifyRequest modify) {
    Set<Object> seen = new HashSet<>();
    for (DocData doc : modify.getDocInsertsList()) {
      if (!doc.getId().isEmpty()) {
        addDoc(seen, doc.getNamespace(), doc.getId());
      }
      addPlace(seen, doc);
    }
    for (DocChange change : modify.getDocChangesList()) {
      addDocOrSet(seen, change.getOldId());
    }
    for (DocID doc : modify.getDocDeletesList()) {
      addDocOrSet(seen, doc);
    }
    for (DocID doc : modify.getDocDependsList()) {
      addDocOrSet(seen, doc);
    }
  }

  private static void addDocOrSet(Set<Object> seen, DocID doc) {
    if (doc.hasKey()) {
      if (!seen.add(new DocSetName(doc.getNamespace(), doc.getKey()))) {
        throw Invalid.because(
            "doc set \"%s\" in namespace \"%s\"" + TWICE, doc.getKey(), doc.getNamespace());
      }
    } else {
      addDoc(seen, doc.getNamespace(), doc.getId());
    }
  }

  private static void addDoc(Set<Object> seen, String namespace, String id) {
    if (!seen.add(new DocName(namespace, id))) {
      throw Invalid.because("doc \"%s\" in namespace \"%s\"" + TWICE, id, namespace);
    }
  }

  private static void addPlace(Set<Object> seen, DocData doc) {
    if (!seen.add(new DocPlace(doc.getNamespace(), doc.getKey(), doc.getSecondaryKey()))) {
      throw Invalid.because(
          "doc of key \"%s\" and secondary key \"%s\" in namespace \"%s\"" + TWICE,
          doc.getKey(),
          doc.getSecondaryKey(),
          doc.getNamespace());
    }
  }

  private record DocName(String namespace, String id) {}

  private record DocSetName(String namespace, String key) {}

  /** Where a doc is in its namespace: only one can be there. */
  private record DocPlace(String namespace, String key, String secondaryKey) {}
}
