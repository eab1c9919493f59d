package io.entroq.service.translation;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyDep;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The details of an error (contract 1.9.1) that fit into its space, and the number of others. Each
 * kind keeps at least one entry, since clients check which kinds there are. Callers learn of
 * further collisions when they try again without the first ones.
 */
final class DetailList {
  private final List<ModifyDep> entries = new ArrayList<>();
  private final Set<ActionType> ofTasks = EnumSet.noneOf(ActionType.class);
  private final Set<ActionType> ofDocs = EnumSet.noneOf(ActionType.class);
  private final ErrorDetailSpace space;
  private int leftOut;

  /**
   * @param bytesMax the space for entries, in bytes
   */
  DetailList(int bytesMax) {
    space = new ErrorDetailSpace(bytesMax);
  }

  /** Adds an entry if there is space, or if it is the first of its kind. */
  void add(ModifyDep entry) {
    Set<ActionType> kinds = entry.hasDocId() ? ofDocs : ofTasks;
    if (kinds.add(entry.getType()) ? space.takeAnyway(entry) : space.take(entry)) {
      entries.add(entry);
    } else {
      leftOut++;
    }
  }

  /** The refusal with these details. */
  Refusal refusal(String message) {
    List<ModifyDep> all = new ArrayList<>(entries.size() + 1);
    all.add(detail());
    all.addAll(entries);
    return new Refusal(Status.Code.NOT_FOUND, message, all);
  }

  private ModifyDep detail() {
    ModifyDep.Builder detail = ModifyDep.newBuilder().setType(ActionType.DETAIL);
    return leftOut == 0
        ? detail.build()
        : detail.setMsg("and " + leftOut + " more that would not fit").build();
  }
}
