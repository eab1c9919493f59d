package io.entroq.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What came of a Modify. */
public sealed interface ModifyResult {
  /** Whether everything was done. */
  default boolean isCommitted() {
    return this instanceof Committed;
  }

  /**
   * What was done, where nothing else will do.
   *
   * @throws EntroQException.Dependency if it did not fit the state
   * @throws EntroQException.OutcomeUnknown if nobody knows whether it was done
   */
  Committed orThrow();

  /**
   * Everything was done, at one moment.
   *
   * @param inserted the inserted tasks, in the order of the request
   * @param changed the changed tasks as they are now, in the order of the request
   * @param claimed what the then-claim found; empty if there was none or it found nothing
   * @param insertedDocs the inserted docs, in the order of the request
   * @param changedDocs the changed docs as they are now, in the order of the request
   */
  record Committed(
      List<Task> inserted,
      List<Task> changed,
      List<Task> claimed,
      List<Doc> insertedDocs,
      List<Doc> changedDocs)
      implements ModifyResult {
    /** Of tasks alone. */
    public Committed(List<Task> inserted, List<Task> changed, List<Task> claimed) {
      this(inserted, changed, claimed, List.of(), List.of());
    }

    /** Copies the lists. */
    public Committed {
      insertedDocs = List.copyOf(insertedDocs);
      changedDocs = List.copyOf(changedDocs);
      inserted = List.copyOf(inserted);
      changed = List.copyOf(changed);
      claimed = List.copyOf(claimed);
    }

    /** The first task that the then-claim found. */
    public Optional<Task> next() {
      return claimed.stream().findFirst();
    }

    @Override
    public Committed orThrow() {
      return this;
    }
  }

  /**
   * It did not fit the state and nothing was done. Every item that did not fit is listed, in the
   * order of the request.
   *
   * <p>A task that is missing and one that has another version are not told apart. A task whose
   * version does not match is not listed as held by others too.
   *
   * @param collisions the tasks, at their real versions and in their real queues, that already have
   *     the id of a task to insert
   * @param changes tasks to change that are missing or have another version
   * @param deletes tasks to delete that are missing, have another version, or are in another queue
   *     than the one named
   * @param depends tasks to depend on that are missing, have another version, or are in another
   *     queue than the one named
   * @param claims tasks to change or to delete that others hold
   * @param docs the same of docs
   */
  record DependencyFailure(
      List<TaskRef> collisions,
      List<TaskRef> changes,
      List<TaskRef> deletes,
      List<TaskRef> depends,
      List<TaskRef> claims,
      DocFailures docs)
      implements ModifyResult {
    /** Of tasks alone. */
    public DependencyFailure(
        List<TaskRef> collisions,
        List<TaskRef> changes,
        List<TaskRef> deletes,
        List<TaskRef> depends,
        List<TaskRef> claims) {
      this(collisions, changes, deletes, depends, claims, DocFailures.none());
    }

    /** Copies the lists. */
    public DependencyFailure {
      Objects.requireNonNull(docs, "docs");
      collisions = List.copyOf(collisions);
      changes = List.copyOf(changes);
      deletes = List.copyOf(deletes);
      depends = List.copyOf(depends);
      claims = List.copyOf(claims);
    }

    /**
     * Whether a task or doc to change, to delete or to depend on is missing or has another version.
     */
    public boolean hasMissing() {
      return !(changes.isEmpty() && deletes.isEmpty() && depends.isEmpty())
          || !docs.missing().isEmpty();
    }

    /** Whether a task or doc to insert has an id that is taken. */
    public boolean hasCollisions() {
      return !collisions.isEmpty() || !docs.collisions().isEmpty();
    }

    /** Whether others hold a task or doc to change or to delete. */
    public boolean hasClaims() {
      return !claims.isEmpty() || !docs.claims().isEmpty();
    }

    /** Whether all that stood in the way is that others hold tasks or docs. */
    public boolean onlyClaims() {
      return hasClaims() && !hasMissing() && !hasCollisions();
    }

    /** Whether all that stood in the way is that ids are taken. */
    public boolean onlyCollisions() {
      return hasCollisions() && !hasMissing() && !hasClaims();
    }

    /** All tasks that are missing or have another version: changes, deletes, depends. */
    public List<TaskRef> missing() {
      return Stream.of(changes, deletes, depends).flatMap(List::stream).toList();
    }

    /** Whether a task that was to be changed, deleted or depended on is among the failures. */
    public boolean concerns(TaskId id) {
      return Stream.of(changes, deletes, depends, claims)
          .flatMap(List::stream)
          .anyMatch(ref -> ref.id().equals(id));
    }

    @Override
    public Committed orThrow() {
      throw new EntroQException.Dependency(this);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("modification does not fit:");
      describe(text, "ids taken", collisions);
      describe(text, "not there to change", changes);
      describe(text, "not there to delete", deletes);
      describe(text, "not there to depend on", depends);
      describe(text, "held by others", claims);
      describe(text, "ids of docs taken", docs.collisions());
      describe(text, "docs not there to change", docs.changes());
      describe(text, "docs not there to delete", docs.deletes());
      describe(text, "docs not there to depend on", docs.depends());
      describe(text, "docs held by others", docs.claims());
      return text.toString();
    }

    private static void describe(StringBuilder text, String what, List<?> refs) {
      if (!refs.isEmpty()) {
        text.append(' ').append(what).append(' ').append(refs).append(';');
      }
    }
  }

  /**
   * It may have been done or not: the reply was lost.
   *
   * @param reason how that came about
   */
  record OutcomeUnknown(String reason) implements ModifyResult {
    /** Checks the component. */
    public OutcomeUnknown {
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public Committed orThrow() {
      throw new EntroQException.OutcomeUnknown(reason);
    }
  }
}
