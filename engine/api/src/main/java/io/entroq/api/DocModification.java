package io.entroq.api;

import java.util.List;

/**
 * The part of a {@link Modification} that concerns docs. A doc may occur only once among changes,
 * deletes and depends. Immutable.
 *
 * @param inserts docs to insert
 * @param changes docs to change; each must be at the named version and not be held by others
 * @param deletes docs to delete; each must be at the named version and not be held by others
 * @param depends docs that must be at the named version; others may hold them
 */
public record DocModification(
    List<DocInsert> inserts, List<DocChange> changes, List<DocRef> deletes, List<DocRef> depends) {
  private static final DocModification NONE =
      new DocModification(List.of(), List.of(), List.of(), List.of());

  public DocModification {
    inserts = List.copyOf(inserts);
    changes = List.copyOf(changes);
    deletes = List.copyOf(deletes);
    depends = List.copyOf(depends);
  }

  /** No docs. */
  public static DocModification none() {
    return NONE;
  }

  public DocModification withInserts(List<DocInsert> newInserts) {
    return new DocModification(newInserts, changes, deletes, depends);
  }

  public boolean isEmpty() {
    return inserts.isEmpty() && changes.isEmpty() && deletes.isEmpty() && depends.isEmpty();
  }
}
