package io.entroq.service.translation;

import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.ModifyRequest;
import java.util.HashSet;
import java.util.Set;

/** Finds tasks that a Modify of the v0 API has in two items, as the engine will. */
public final class RepeatedTasks {
  private RepeatedTasks() {}

  /**
   * Checks a request whose ids are valid.
   *
   * @throws RefusedException if it names a task twice; an insert may have the id of a task that is
   *     also named otherwise
   */
  public static void refuse(ModifyRequest request) {
    Set<IdKey> seen = new HashSet<>();
    for (int i = 0; i < request.getInsertsCount(); i++) {
      String id = request.getInserts(i).getId();
      if (!id.isEmpty()) {
        IdKey key = Facade.V0.readId("id", id);
        require(key.isNobody() || seen.add(key), "inserts", i);
      }
    }
    seen.clear();
    for (int i = 0; i < request.getChangesCount(); i++) {
      requireFirst(seen, request.getChanges(i).getOldId().getId(), "changes", i);
    }
    for (int i = 0; i < request.getDeletesCount(); i++) {
      requireFirst(seen, request.getDeletes(i).getId(), "deletes", i);
    }
    for (int i = 0; i < request.getDependsCount(); i++) {
      requireFirst(seen, request.getDepends(i).getId(), "depends", i);
    }
  }

  private static void requireFirst(Set<IdKey> seen, String id, String list, int index) {
    require(seen.add(Facade.V0.readId("id", id)), list, index);
  }

  private static void require(boolean isFirst, String list, int index) {
    if (!isFirst) {
      throw new RefusedException(ResultRefusals.twice(list + "[" + index + "]", "task"));
    }
  }
}
