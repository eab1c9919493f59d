package io.entroq.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What one Modify does: all of it or nothing. Immutable.
 *
 * <p>Small ones are put together from parts, large ones with a {@linkplain #builder() builder}:
 *
 * <pre>{@code
 * queue.modify(Modification.delete(task).and(Modification.insert("done", "42"))).orThrow();
 *
 * queue.modify(
 *         Modification.builder()
 *             .delete(task)
 *             .insert(Insert.into("later").withValue("43").availableIn(Duration.ofHours(1)))
 *             .depend(configuration)
 *             .thenClaim(Claim.from("inbox"))
 *             .build())
 *     .orThrow();
 * }</pre>
 *
 * <p>One task may stand in it once only, whether to change, to delete or to depend on, and an
 * inserted id once only; otherwise the Modify is refused with {@link
 * EntroQException.InvalidArgument}.
 *
 * @param inserts tasks to insert
 * @param changes tasks to change; each must have the named version and not be held by others
 * @param deletes tasks to delete; each must have the named version and not be held by others
 * @param depends tasks that must have the named version, whoever holds them
 * @param docs what to do to docs, in the same step
 * @param thenClaim what to claim in the same step once the rest is done. It never waits; finding
 *     nothing is no failure. Of it, only queues, lease and limit count
 * @param claimant who asks; empty: the {@linkplain EntroQ#claimant() claimant of the EntroQ} that
 *     is asked
 */
public record Modification(
    List<Insert> inserts,
    List<Change> changes,
    List<TaskRef> deletes,
    List<TaskRef> depends,
    DocModification docs,
    Optional<Claim> thenClaim,
    String claimant) {
  private static final Modification EMPTY =
      new Modification(List.of(), List.of(), List.of(), List.of(), Optional.empty(), "");

  /** Copies the lists and checks the claimant. */
  public Modification {
    inserts = List.copyOf(inserts);
    changes = List.copyOf(changes);
    deletes = List.copyOf(deletes);
    depends = List.copyOf(depends);
    Objects.requireNonNull(docs, "docs");
    Objects.requireNonNull(thenClaim, "thenClaim");
    Checks.claimant(claimant);
  }

  /** Of tasks alone; not for others, who might leave out docs that there are. */
  private Modification(
      List<Insert> inserts,
      List<Change> changes,
      List<TaskRef> deletes,
      List<TaskRef> depends,
      Optional<Claim> thenClaim,
      String claimant) {
    this(inserts, changes, deletes, depends, DocModification.none(), thenClaim, claimant);
  }

  /** Does nothing, successfully. */
  public static Modification empty() {
    return EMPTY;
  }

  /** Inserts a task with the UTF-8 bytes of a text as its value. */
  public static Modification insert(String queue, String text) {
    return insert(queue, Value.text(text));
  }

  /** Inserts a task. */
  public static Modification insert(String queue, Value value) {
    return insert(Insert.into(queue).withValue(value));
  }

  /** Inserts tasks. */
  public static Modification insert(Insert... inserts) {
    return insert(Arrays.asList(inserts));
  }

  /** Inserts tasks. */
  public static Modification insert(Collection<Insert> inserts) {
    return new Modification(
        List.copyOf(inserts), List.of(), List.of(), List.of(), Optional.empty(), "");
  }

  /** Changes tasks. */
  public static Modification change(Change... changes) {
    return new Modification(
        List.of(), List.of(changes), List.of(), List.of(), Optional.empty(), "");
  }

  /** Deletes a task at the version it has here. */
  public static Modification delete(Task task) {
    return delete(task.ref());
  }

  /** Deletes tasks. */
  public static Modification delete(TaskRef... tasks) {
    return new Modification(List.of(), List.of(), List.of(tasks), List.of(), Optional.empty(), "");
  }

  /** Demands that a task has the version it has here. */
  public static Modification depend(Task task) {
    return depend(task.ref());
  }

  /** Demands that tasks have the named versions. */
  public static Modification depend(TaskRef... tasks) {
    return new Modification(List.of(), List.of(), List.of(), List.of(tasks), Optional.empty(), "");
  }

  /** Begins an empty one to be filled. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one that has everything of this one. */
  public Builder toBuilder() {
    return new Builder().add(this);
  }

  /**
   * Both in one step: everything of this one and then everything of the other. A claimant or a
   * then-claim of the other replaces this one's.
   */
  public Modification and(Modification other) {
    return toBuilder().add(other).build();
  }

  /** The same followed, in the same step, by a claim that does not wait. */
  public Modification thenClaim(Claim claim) {
    return new Modification(inserts, changes, deletes, depends, docs, Optional.of(claim), claimant);
  }

  /** The same with other inserts. */
  public Modification withInserts(List<Insert> newInserts) {
    return new Modification(newInserts, changes, deletes, depends, docs, thenClaim, claimant);
  }

  /** The same in the name of another claimant. */
  public Modification withClaimant(String newClaimant) {
    return new Modification(inserts, changes, deletes, depends, docs, thenClaim, newClaimant);
  }

  /** The same with other docs. */
  public Modification withDocs(DocModification newDocs) {
    return new Modification(inserts, changes, deletes, depends, newDocs, thenClaim, claimant);
  }

  /**
   * The same without inserts whose ids are taken; empty if that would not help, because something
   * else failed too or an insert that failed may not be left out.
   */
  Optional<Modification> withoutTaken(
      ModifyResult.DependencyFailure failure, Predicate<Insert> skippable) {
    Set<TaskId> taken = new HashSet<>();
    failure.collisions().forEach(ref -> taken.add(ref.id()));
    List<Insert> left =
        inserts.stream()
            .filter(insert -> !(insert.hasIdIn(taken) && skippable.test(insert)))
            .toList();
    boolean helps =
        failure.onlyCollisions()
            && failure.docs().collisions().isEmpty()
            && left.size() < inserts.size()
            && left.stream().noneMatch(insert -> insert.hasIdIn(taken));
    return helps ? Optional.of(withInserts(left)) : Optional.empty();
  }

  /** Whether it does nothing at all. */
  public boolean isEmpty() {
    return inserts.isEmpty()
        && changes.isEmpty()
        && deletes.isEmpty()
        && depends.isEmpty()
        && docs.isEmpty()
        && thenClaim.isEmpty();
  }

  /** Gathers the parts of a {@link Modification}. For one thread. */
  public static final class Builder {
    private final List<Insert> inserts = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<TaskRef> deletes = new ArrayList<>();
    private final List<TaskRef> depends = new ArrayList<>();
    private final List<DocInsert> docInserts = new ArrayList<>();
    private final List<DocChange> docChanges = new ArrayList<>();
    private final List<DocRef> docDeletes = new ArrayList<>();
    private final List<DocRef> docDepends = new ArrayList<>();
    private Optional<Claim> thenClaim = Optional.empty();
    private String claimant = "";

    private Builder() {}

    /** Inserts a task. */
    public Builder insert(Insert insert) {
      inserts.add(insert);
      return this;
    }

    /** Inserts a task. */
    public Builder insert(String queue, Value value) {
      return insert(Insert.into(queue).withValue(value));
    }

    /** Inserts a task with the UTF-8 bytes of a text as its value. */
    public Builder insert(String queue, String text) {
      return insert(queue, Value.text(text));
    }

    /** Changes a task. */
    public Builder change(Change change) {
      changes.add(change);
      return this;
    }

    /** Deletes a task at the version it has here. */
    public Builder delete(Task task) {
      return delete(task.ref());
    }

    /** Deletes a task. */
    public Builder delete(TaskRef task) {
      deletes.add(task);
      return this;
    }

    /** Demands that a task has the version it has here. */
    public Builder depend(Task task) {
      return depend(task.ref());
    }

    /** Demands that a task has the named version. */
    public Builder depend(TaskRef task) {
      depends.add(task);
      return this;
    }

    /** Inserts a doc. */
    public Builder insertDoc(DocInsert insert) {
      docInserts.add(insert);
      return this;
    }

    /** Changes a doc. */
    public Builder changeDoc(DocChange change) {
      docChanges.add(change);
      return this;
    }

    /** Deletes a doc. */
    public Builder deleteDoc(DocRef doc) {
      docDeletes.add(doc);
      return this;
    }

    /** Demands that a doc has the named version. */
    public Builder dependOnDoc(DocRef doc) {
      docDepends.add(doc);
      return this;
    }

    /** Claims in the same step once the rest is done, without waiting. */
    public Builder thenClaim(Claim claim) {
      thenClaim = Optional.of(claim);
      return this;
    }

    /** Asks in the name of another claimant. */
    public Builder claimant(String newClaimant) {
      claimant = newClaimant;
      return this;
    }

    /** Adds everything of another one; its claimant and then-claim replace those given before. */
    public Builder add(Modification other) {
      inserts.addAll(other.inserts);
      changes.addAll(other.changes);
      deletes.addAll(other.deletes);
      depends.addAll(other.depends);
      docInserts.addAll(other.docs.inserts());
      docChanges.addAll(other.docs.changes());
      docDeletes.addAll(other.docs.deletes());
      docDepends.addAll(other.docs.depends());
      thenClaim = other.thenClaim.or(() -> thenClaim);
      claimant = other.claimant.isEmpty() ? claimant : other.claimant;
      return this;
    }

    /**
     * What was gathered.
     *
     * @throws EntroQException.InvalidArgument if the claimant is longer than 1,024 bytes
     */
    public Modification build() {
      DocModification docs = new DocModification(docInserts, docChanges, docDeletes, docDepends);
      return new Modification(inserts, changes, deletes, depends, docs, thenClaim, claimant);
    }
  }
}
