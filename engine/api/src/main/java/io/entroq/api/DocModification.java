package io.entroq.api;

import java.util.List;

/**
 * What a {@link Modification} does to docs. One doc may stand in it once only, whether to change,
 * to delete or to depend on. Immutable.
 *
 * @param inserts docs to insert
 * @param changes docs to change; each must have the named version and not be held by others
 * @param deletes docs to delete; each must have the named version and not be held by others
 * @param depends docs that must have the named version, whoever holds them
 */
public record DocModification(
    List<DocInsert> inserts, List<DocChange> changes, List<DocRef> deletes, List<DocRef> depends) {
  private static final DocModification NONE =
      new DocModification(List.of(), List.of(), List.of(), List.of());

  /** Copies the lists. */
  public DocModification {
    inserts = List.copyOf(inserts);
    changes = List.copyOf(changes);
    deletes = List.copyOf(deletes);
    depends = List.copyOf(depends);
  }

  /** Says nothing of docs. */
  public static DocModification none() {
    return NONE;
  }

  /** The same with other inserts. */
  public DocModification withInserts(List<DocInsert> newInserts) {
    return new DocModification(newInserts, changes, deletes, depends);
  }

  /** Whether it says nothing of docs. */
  public boolean isEmpty() {
    return inserts.isEmpty() && changes.isEmpty() && deletes.isEmpty() && depends.isEmpty();
  }
}
