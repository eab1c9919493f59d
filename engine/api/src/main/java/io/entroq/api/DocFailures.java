package io.entroq.api;

import java.util.List;
import java.util.stream.Stream;

/**
 * The docs and doc sets because of which a modification did not match the state, in the order of
 * the request.
 *
 * @param collisions docs that have the id or the place of a doc to insert
 * @param changes docs to change that are missing or whose set has another version
 * @param deletes docs to delete that are missing or whose set has another version
 * @param depends docs to depend on that are missing or whose set has another version
 * @param claims docs to change, delete or claim that others hold
 * @param setChanges sets whose lease to change that are missing or have another version
 * @param setDepends sets to depend on that are missing or have another version
 * @param setClaims sets to write to or to claim that others hold, at their current versions
 */
public record DocFailures(
    List<DocId> collisions,
    List<DocRef> changes,
    List<DocRef> deletes,
    List<DocRef> depends,
    List<DocRef> claims,
    List<DocSet.Ref> setChanges,
    List<DocSet.Ref> setDepends,
    List<DocSet.Ref> setClaims) {
  private static final DocFailures NONE =
      new DocFailures(List.of(), List.of(), List.of(), List.of(), List.of());

  public DocFailures {
    collisions = List.copyOf(collisions);
    changes = List.copyOf(changes);
    deletes = List.copyOf(deletes);
    depends = List.copyOf(depends);
    claims = List.copyOf(claims);
    setChanges = List.copyOf(setChanges);
    setDepends = List.copyOf(setDepends);
    setClaims = List.copyOf(setClaims);
  }

  /** A failure without sets. */
  public DocFailures(
      List<DocId> collisions,
      List<DocRef> changes,
      List<DocRef> deletes,
      List<DocRef> depends,
      List<DocRef> claims) {
    this(collisions, changes, deletes, depends, claims, List.of(), List.of(), List.of());
  }

  /** No failed docs. */
  public static DocFailures none() {
    return NONE;
  }

  /** A failure only because others hold these sets, which have these docs. */
  public static DocFailures heldByOthers(List<DocSet.Ref> sets, List<DocRef> docs) {
    return new DocFailures(
        List.of(), List.of(), List.of(), List.of(), docs, List.of(), List.of(), sets);
  }

  /** All docs that are missing or at another version: changes, deletes and depends. */
  public List<DocRef> missing() {
    return Stream.of(changes, deletes, depends).flatMap(List::stream).toList();
  }

  /** All sets that are missing or at another version. */
  public List<DocSet.Ref> missingSets() {
    return Stream.of(setChanges, setDepends).flatMap(List::stream).toList();
  }

  /** Whether this set, at any version, is missing, at another version or held by others. */
  public boolean concerns(DocSet.Ref set) {
    return Stream.of(setChanges, setDepends, setClaims)
        .flatMap(List::stream)
        .anyMatch(set::isSameSet);
  }
}
