package io.entroq.api;

import java.util.List;

/**
 * The part of a {@link Modification} that concerns docs. A doc, and a doc set, may occur only once.
 * Immutable.
 *
 * @param inserts docs to insert
 * @param changes docs to change; the set of each must be at the named version and not be held by
 *     others
 * @param deletes docs to delete; the set of each must be at the named version and not be held by
 *     others
 * @param depends docs whose set must be at the named version; others may hold it
 * @param setLeases sets whose lease to change; each must be at the named version and not be held by
 *     others
 * @param setDepends sets that must be at the named version; others may hold them
 */
public record DocModification(
    List<DocInsert> inserts,
    List<DocChange> changes,
    List<Doc.Ref> deletes,
    List<Doc.Ref> depends,
    List<DocSet.LeaseChange> setLeases,
    List<DocSet.Ref> setDepends) {
  private static final DocModification NONE =
      new DocModification(List.of(), List.of(), List.of(), List.of());

  public DocModification {
    inserts = List.copyOf(inserts);
    changes = List.copyOf(changes);
    deletes = List.copyOf(deletes);
    depends = List.copyOf(depends);
    setLeases = List.copyOf(setLeases);
    setDepends = List.copyOf(setDepends);
  }

  /** A modification without sets. */
  public DocModification(
      List<DocInsert> inserts,
      List<DocChange> changes,
      List<Doc.Ref> deletes,
      List<Doc.Ref> depends) {
    this(inserts, changes, deletes, depends, List.of(), List.of());
  }

  /** No docs. */
  public static DocModification none() {
    return NONE;
  }

  public DocModification withInserts(List<DocInsert> newInserts) {
    return new DocModification(newInserts, changes, deletes, depends, setLeases, setDepends);
  }

  public boolean isEmpty() {
    return inserts.isEmpty()
        && changes.isEmpty()
        && deletes.isEmpty()
        && depends.isEmpty()
        && setLeases.isEmpty()
        && setDepends.isEmpty();
  }
}
