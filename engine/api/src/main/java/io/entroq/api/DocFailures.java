package io.entroq.api;

import java.util.List;
import java.util.stream.Stream;

/**
 * The docs because of which a modification did not match the state, in the order of the request.
 *
 * @param collisions ids of docs to insert that are taken
 * @param changes docs to change that are missing or have another version
 * @param deletes docs to delete that are missing or have another version
 * @param depends docs to depend on that are missing or have another version
 * @param claims docs to change, delete or claim that others hold
 */
public record DocFailures(
    List<DocId> collisions,
    List<DocRef> changes,
    List<DocRef> deletes,
    List<DocRef> depends,
    List<DocRef> claims) {
  private static final DocFailures NONE =
      new DocFailures(List.of(), List.of(), List.of(), List.of(), List.of());

  public DocFailures {
    collisions = List.copyOf(collisions);
    changes = List.copyOf(changes);
    deletes = List.copyOf(deletes);
    depends = List.copyOf(depends);
    claims = List.copyOf(claims);
  }

  /** No failed docs. */
  public static DocFailures none() {
    return NONE;
  }

  /** A failure only because others hold these docs. */
  public static DocFailures heldByOthers(List<DocRef> docs) {
    return new DocFailures(List.of(), List.of(), List.of(), List.of(), docs);
  }

  /** All docs that are missing or at another version: changes, deletes and depends. */
  public List<DocRef> missing() {
    return Stream.of(changes, deletes, depends).flatMap(List::stream).toList();
  }
}
