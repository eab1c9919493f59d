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
   * @param failed the failed tasks as they are now, in the order of the request: resting in their
   *     queue, or dead in another
   * @param policies the entries that were put, paused or resumed, puts first, in the order of the
   *     request
   */
  record Committed(
      List<Task> inserted,
      List<Task> changed,
      List<Task> claimed,
      List<Doc> insertedDocs,
      List<Doc> changedDocs,
      List<DocSet> changedSets,
      List<Task> failed,
      List<Policies.Entry> policies)
      implements ModifyResult {
    /** A result of tasks only. */
    public Committed(List<Task> inserted, List<Task> changed, List<Task> claimed) {
      this(inserted, changed, claimed, List.of(), List.of(), List.of());
    }

    /** A result without failed tasks and policies. */
    public Committed(
        List<Task> inserted,
        List<Task> changed,
        List<Task> claimed,
        List<Doc> insertedDocs,
        List<Doc> changedDocs,
        List<DocSet> changedSets) {
      this(
          inserted, changed, claimed, insertedDocs, changedDocs, changedSets, List.of(), List.of());
    }

    public Committed {
      changedSets = List.copyOf(changedSets);
      insertedDocs = List.copyOf(insertedDocs);
      changedDocs = List.copyOf(changedDocs);
      inserted = List.copyOf(inserted);
      changed = List.copyOf(changed);
      claimed = List.copyOf(claimed);
      failed = List.copyOf(failed);
      policies = List.copyOf(policies);
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
   * @param claims tasks to change, delete or fail that others hold
   * @param docs docs that did not match
   * @param fails tasks to fail of which the same is true as of changes
   * @param policies entries to write that have another version, or should not exist
   */
  record DependencyFailure(
      List<TaskRef> collisions,
      List<TaskRef> changes,
      List<TaskRef> deletes,
      List<TaskRef> depends,
      List<TaskRef> claims,
      DocFailures docs,
      List<TaskRef> fails,
      List<Policies.Target> policies)
      implements ModifyResult {
    /** A failure without failed work and policies. */
    public DependencyFailure(
        List<TaskRef> collisions,
        List<TaskRef> changes,
        List<TaskRef> deletes,
        List<TaskRef> depends,
        List<TaskRef> claims,
        DocFailures docs) {
      this(collisions, changes, deletes, depends, claims, docs, List.of(), List.of());
    }

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
      fails = List.copyOf(fails);
      policies = List.copyOf(policies);
    }

    /**
     * Whether a task, doc, doc set or policy to change, delete, fail or depend on is missing or at
     * another version.
     */
    public boolean hasMissing() {
      return !(missing().isEmpty() && policies.isEmpty())
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

    /** All tasks that are missing or at another version: changes, deletes, fails and depends. */
    public List<TaskRef> missing() {
      return Stream.of(changes, deletes, fails, depends).flatMap(List::stream).toList();
    }

    /** Whether this task is missing, at another version or held by others. */
    public boolean concerns(TaskId id) {
      return Stream.of(changes, deletes, fails, depends, claims)
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
      describe(text, "missing to fail", fails);
      describe(text, "missing to depend on", depends);
      describe(text, "policies at another version", policies);
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
  record DocFailures(
      List<Doc.Id> collisions,
      List<Doc.Ref> changes,
      List<Doc.Ref> deletes,
      List<Doc.Ref> depends,
      List<Doc.Ref> claims,
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
        List<Doc.Id> collisions,
        List<Doc.Ref> changes,
        List<Doc.Ref> deletes,
        List<Doc.Ref> depends,
        List<Doc.Ref> claims) {
      this(collisions, changes, deletes, depends, claims, List.of(), List.of(), List.of());
    }

    /** No failed docs. */
    public static DocFailures none() {
      return NONE;
    }

    /** A failure only because others hold these sets, which have these docs. */
    public static DocFailures heldByOthers(List<DocSet.Ref> sets, List<Doc.Ref> docs) {
      return new DocFailures(
          List.of(), List.of(), List.of(), List.of(), docs, List.of(), List.of(), sets);
    }

    /** All docs that are missing or at another version: changes, deletes and depends. */
    public List<Doc.Ref> missing() {
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
}
