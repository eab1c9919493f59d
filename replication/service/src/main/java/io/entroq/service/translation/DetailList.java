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
  /** The text has its own space, next to the entries. */
  private static final int TEXT_CHARS_MAX = 300;

  private final List<ModifyDep> entries = new ArrayList<>();
  private final Set<ActionType> ofTasks = EnumSet.noneOf(ActionType.class);
  private final Set<ActionType> ofDocs = EnumSet.noneOf(ActionType.class);
  private final ErrorDetailSpace space;
  private final StringBuilder text = new StringBuilder();
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

  /** Adds a text for people, as far as there is space. */
  void text(String reason) {
    text.append(text.isEmpty() ? "" : "; ").append(reason);
    text.setLength(Math.min(TEXT_CHARS_MAX, text.length()));
  }

  /** The refusal with these details. */
  Refusal refusal(String message) {
    List<ModifyDep> all = new ArrayList<>(entries.size() + 1);
    all.add(detail());
    all.addAll(entries);
    return new Refusal(Status.Code.NOT_FOUND, message, all);
  }

  private ModifyDep detail() {
    if (leftOut > 0) {
      text.append(text.isEmpty() ? "" : "; ").append("and ").append(leftOut);
      text.append(" more that would not fit");
    }
    return ModifyDep.newBuilder().setType(ActionType.DETAIL).setMsg(text.toString()).build();
  }
}
