package io.entroq.server.service.edge;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyDep;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The entries of an error, contract 1.9.1, as far as they fit.
 *
 * <p>Details travel in trailers, of which some clients take no more than 8 KiB; past that they
 * would see no error that they know. So past a bound entries are left out, and said to be. Each
 * kind has at least one, since clients go by what kinds there are; and what is left out of
 * collisions they learn when they try without those that they know.
 */
final class DetailList {
  /** What fits into 8 KiB as base64 beside the other trailers. */
  private static final int BYTES_MAX = 5_600;

  /** The Any around an entry: its type's name and three tags. */
  private static final int BYTES_AROUND = 48;

  private final List<ModifyDep> entries = new ArrayList<>();
  private final Set<ActionType> ofTasks = EnumSet.noneOf(ActionType.class);
  private final Set<ActionType> ofDocs = EnumSet.noneOf(ActionType.class);
  private int bytes;
  private int leftOut;

  /** Adds a reason, unless there are too many. */
  void add(ModifyDep entry) {
    int size = entry.getSerializedSize() + BYTES_AROUND;
    Set<ActionType> kinds = entry.hasDocId() ? ofDocs : ofTasks;
    if (kinds.add(entry.getType()) || bytes + size <= BYTES_MAX) {
      entries.add(entry);
      bytes += size;
    } else {
      leftOut++;
    }
  }

  /** What the caller is told. */
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
