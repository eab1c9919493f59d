package io.entroq.service.translation;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.TaskID;
import java.util.ArrayList;
import java.util.List;

/** The reasons why a claim of doc sets failed. */
final class ClaimDocsDetails {
  private static final String HELD = "claim docs dependency error";
  private static final String NO_TASK = "doc claim depends on a missing task";

  private ClaimDocsDetails() {}

  /**
   * The refusal with all details: each set that others hold, then its docs; and the task to match
   * if it is not held as the request says.
   *
   * @param task the task to match; empty if none is given
   * @param bytesMax the space for entries, in bytes
   */
  static Refusal refusal(ResultDecoder result, TaskID task, int bytesMax) {
    DocReader reader = new DocReader(result);
    DetailList entries = new DetailList(bytesMax);
    boolean isTaskMissing = isTaskMissing(result);
    if (isTaskMissing) {
      entries.add(DependencyDetails.entry(ActionType.DEPEND, task));
      entries.text(NO_TASK);
    }
    List<DocID> docs = new ArrayList<>();
    for (int i = 0; i < result.docCount(); i++) {
      docs.add(reader.ref(result.doc(i)));
    }
    int next = 0;
    for (int i = 0; i < result.setCount(); i++) {
      entries.add(DependencyDetails.entry(ActionType.CLAIM, reader.setRef(result.set(i))));
      entries.text(reader.holder(result.set(i)));
      for (int left = result.set(i).docs(); left > 0 && next < docs.size(); left--) {
        entries.add(DependencyDetails.entry(ActionType.CLAIM, docs.get(next++)));
      }
    }
    for (DocID doc : docs.subList(next, docs.size())) {
      entries.add(DependencyDetails.entry(ActionType.CLAIM, doc));
    }
    return entries.refusal(isTaskMissing ? "claim docs: " + NO_TASK : HELD);
  }

  private static boolean isTaskMissing(ResultDecoder result) {
    for (int i = 0; i < result.failureCount(); i++) {
      if (result.failure(i).itemKind() == ItemKinds.TASK) {
        return true;
      }
    }
    return false;
  }
}
