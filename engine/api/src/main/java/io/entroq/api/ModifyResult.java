package io.entroq.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The result of a Modify: committed, failed because of the state, or unknown. */
public sealed interface ModifyResult {
  /** Whether the modification was applied. */
  default boolean isCommitted() {
    return this instanceof Committed;
  }

  /**
   * Returns this result if it is {@link Committed}.
   *
   * @throws EntroQException.Dependency if it is a {@link DependencyFailure}
   * @throws EntroQException.OutcomeUnknown if it is {@link OutcomeUnknown}
   */
  Committed orThrow();

  /**
   * Everything was applied atomically.
   *
   * @param inserted the inserted tasks, in the order of the request
   * @param changed the changed tasks as they are now, in the order of the request
   * @param claimed the tasks that the then-claim took; empty if there was no then-claim or no task
   * @param insertedDocs the inserted docs, in the order of the request
   * @param changedDocs the changed docs as they are now, in the order of the request
   * @param changedSets the doc sets whose lease was changed as they are now, in the order of the
   *     request
   */
  record Committed(
      List<Task> inserted,
      List<Task> changed,
      List<Task> claimed,
      List<Doc> insertedDocs,
      List<Doc> changedDocs,
      List<DocSet> changedSets)
      implements ModifyResult {
    /** A result without docs. */
    public Committed(List<Task> inserted, List<Task> changed, List<Task> claimed) {
      this(inserted, changed, claimed, List.of(), List.of(), List.of());
    }

    public Committed {
      changedSets = List.copyOf(changedSets);
      insertedDocs = List.copyOf(insertedDocs);
      changedDocs = List.copyOf(changedDocs);
      inserted = List.copyOf(inserted);
      changed = List.copyOf(changed);
      claimed = List.copyOf(claimed);
    }

    /** The first task that the then-claim took. */
    public Optional<Task> next() {
      return claimed.stream().findFirst();
    }

    @Override
    public Committed orThrow() {
      return this;
    }
  }

  /**
   * The modification did not match the state, and nothing was applied. All items that did not match
   * are listed, in the order of the request.
   *
   * <p>A missing task and a task at another version are reported alike. A task at another version
   * is never also listed in {@code claims}.
   *
   * @param collisions existing tasks, with their version and queue, that have the id of a task to
   *     insert
   * @param changes tasks to change that are missing, have another version, or are not in the named
   *     queue
   * @param deletes tasks to delete of which the same is true
   * @param depends tasks to depend on of which the same is true
   * @param claims tasks to change or delete that others hold
   * @param docs docs that did not match
   */
  record DependencyFailure(
      List<TaskRef> collisions,
      List<TaskRef> changes,
      List<TaskRef> deletes,
      List<TaskRef> depends,
      List<TaskRef> claims,
      DocFailures docs)
      implements ModifyResult {
    /** A failure without docs. */
    public DependencyFailure(
        List<TaskRef> collisions,
        List<TaskRef> changes,
        List<TaskRef> deletes,
        List<TaskRef> depends,
        List<TaskRef> claims) {
      this(collisions, changes, deletes, depends, claims, DocFailures.none());
    }

    public DependencyFailure {
      Objects.requireNonNull(docs, "docs");
      collisions = List.copyOf(collisions);
      changes = List.copyOf(changes);
      deletes = List.copyOf(deletes);
      depends = List.copyOf(depends);
      claims = List.copyOf(claims);
    }

    /**
     * Whether a task, doc or doc set to change, delete or depend on is missing or at another
     * version.
     */
    public boolean hasMissing() {
      return !(changes.isEmpty() && deletes.isEmpty() && depends.isEmpty())
          || !docs.missing().isEmpty()
          || !docs.missingSets().isEmpty();
    }

    /** Whether the id of a task or doc to insert is taken. */
    public boolean hasCollisions() {
      return !collisions.isEmpty() || !docs.collisions().isEmpty();
    }

    /** Whether others hold a task, doc or doc set to write to. */
    public boolean hasClaims() {
      return !claims.isEmpty() || !docs.claims().isEmpty() || !docs.setClaims().isEmpty();
    }

    /** Whether the only cause is that others hold tasks or docs. */
    public boolean onlyClaims() {
      return hasClaims() && !hasMissing() && !hasCollisions();
    }

    /** Whether the only cause is that ids are taken. */
    public boolean onlyCollisions() {
      return hasCollisions() && !hasMissing() && !hasClaims();
    }

    /** All tasks that are missing or at another version: changes, deletes and depends. */
    public List<TaskRef> missing() {
      return Stream.of(changes, deletes, depends).flatMap(List::stream).toList();
    }

    /** Whether this task is among the failed changes, deletes, depends or claims. */
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
      StringBuilder text = new StringBuilder("modification refused:");
      describe(text, "task ids in use", collisions);
      describe(text, "missing to change", changes);
      describe(text, "missing to delete", deletes);
      describe(text, "missing to depend on", depends);
      describe(text, "held by others", claims);
      describe(text, "doc ids or places in use", docs.collisions());
      describe(text, "docs missing to change", docs.changes());
      describe(text, "docs missing to delete", docs.deletes());
      describe(text, "docs missing to depend on", docs.depends());
      describe(text, "docs held by others", docs.claims());
      describe(text, "doc sets missing to hold", docs.setChanges());
      describe(text, "doc sets missing to depend on", docs.setDepends());
      describe(text, "doc sets held by others", docs.setClaims());
      return text.toString();
    }

    private static void describe(StringBuilder text, String what, List<?> refs) {
      if (!refs.isEmpty()) {
        text.append(' ').append(what).append(' ').append(refs).append(';');
      }
    }
  }

  /**
   * The reply was lost: the modification may or may not have been applied.
   *
   * @param reason how the reply was lost
   */
  record OutcomeUnknown(String reason) implements ModifyResult {
    public OutcomeUnknown {
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public Committed orThrow() {
      throw new EntroQException.OutcomeUnknown(reason);
    }
  }
}
