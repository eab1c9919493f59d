package io.entroq.api;

import java.time.Duration;
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
 * The writes of one Modify, applied all or nothing. Immutable.
 *
 * <p>Combine small ones with {@link #and}; build large ones with a {@linkplain #builder() builder}:
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
 * <p>A task, a doc and a doc set may each occur only once. Otherwise the Modify fails with {@link
 * EntroQException.InvalidArgument}. So does a modification without anything to do.
 *
 * @param inserts tasks to insert
 * @param changes tasks to change; each must be in the named queue at the named version and not be
 *     held by others, unless it {@linkplain Change#takeBack takes the task back}
 * @param deletes tasks to delete; the same holds for each
 * @param depends tasks that must be in the named queue at the named version; others may hold them
 * @param fails tasks whose work has failed; the same holds for each
 * @param policies writes to policies, limiters and pauses; at most one put, one delete and one
 *     pause of each entry
 * @param docs writes to docs, applied atomically with the rest
 * @param thenClaim a claim made atomically after the writes. It never waits, and finding no task is
 *     not a failure. Only its queues, lease and limit are used
 * @param claimant who writes; if empty, the {@linkplain EntroQ#claimant() claimant of the EntroQ}
 */
public record Modification(
    List<Insert> inserts,
    List<Change> changes,
    List<TaskRef> deletes,
    List<TaskRef> depends,
    List<Fail> fails,
    List<Policies.Write> policies,
    DocModification docs,
    Optional<Claim> thenClaim,
    String claimant) {
  private static final Modification EMPTY =
      new Modification(List.of(), List.of(), List.of(), List.of(), Optional.empty(), "");

  /**
   * A task whose work has failed: its attempt goes up by one, and nobody holds it any longer. It
   * rests as the {@linkplain QueuePolicy#retry() policy of its queue} says, and after the policy's
   * last attempt goes to the dead queue. Without such a policy it is available after the delay.
   *
   * @param task the task, the version it must have and the queue it must be in
   * @param err why the work failed; replaces the task's {@link Task#err()}
   * @param delay how long it rests, whatever the policy says; empty for the policy's rest, or for
   *     no rest without a policy
   */
  public record Fail(TaskRef task, String err, Optional<Duration> delay) {
    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Fail {
      Objects.requireNonNull(task, "task");
      Checks.err(err);
      delay.ifPresent(rest -> Checks.notNegative("delay", rest));
    }
  }

  /** Copies the lists and checks the claimant. */
  public Modification {
    inserts = List.copyOf(inserts);
    changes = List.copyOf(changes);
    deletes = List.copyOf(deletes);
    depends = List.copyOf(depends);
    fails = List.copyOf(fails);
    policies = List.copyOf(policies);
    Objects.requireNonNull(docs, "docs");
    Objects.requireNonNull(thenClaim, "thenClaim");
    Checks.claimant(claimant);
  }

  /** Of tasks only. Private, so that nobody drops the rest by accident. */
  private Modification(
      List<Insert> inserts,
      List<Change> changes,
      List<TaskRef> deletes,
      List<TaskRef> depends,
      Optional<Claim> thenClaim,
      String claimant) {
    this(
        inserts,
        changes,
        deletes,
        depends,
        List.of(),
        List.of(),
        DocModification.none(),
        thenClaim,
        claimant);
  }

  /** A modification with nothing to do, to combine with others. */
  public static Modification empty() {
    return EMPTY;
  }

  /** Inserts a task with a text as its value: {@link Value#text(String)}. */
  public static Modification insert(String queue, String text) {
    return insert(queue, Value.text(text));
  }

  public static Modification insert(String queue, Value value) {
    return insert(Insert.into(queue).withValue(value));
  }

  public static Modification insert(Insert... inserts) {
    return insert(Arrays.asList(inserts));
  }

  public static Modification insert(Collection<Insert> inserts) {
    return new Modification(
        List.copyOf(inserts), List.of(), List.of(), List.of(), Optional.empty(), "");
  }

  /** Renews the lease of a task: {@link Change#renew}. */
  public static Modification renew(Task task, Duration lease) {
    return change(Change.renew(task, lease));
  }

  /** Ends the lease of a task: {@link Change#release}. */
  public static Modification release(Task task) {
    return change(Change.release(task));
  }

  /**
   * Ends the leases of tasks that one claimant holds, in the claimant's name.
   *
   * @param tasks as claimed together; at least one
   */
  public static Modification release(Collection<Task> tasks) {
    Builder release = builder();
    tasks.forEach(release::release);
    return release.claimant(tasks.iterator().next().claimant()).build();
  }

  /** Takes a task back from whoever holds it: {@link Change#takeBack}. */
  public static Modification takeBack(Task task) {
    return change(Change.takeBack(task));
  }

  public static Modification change(Change... changes) {
    return new Modification(
        List.of(), List.of(changes), List.of(), List.of(), Optional.empty(), "");
  }

  /** Deletes a task, which must still be at this version. */
  public static Modification delete(Task task) {
    return delete(task.ref());
  }

  public static Modification delete(TaskRef... tasks) {
    return new Modification(List.of(), List.of(), List.of(tasks), List.of(), Optional.empty(), "");
  }

  /** Requires that a task is still at this version. */
  public static Modification depend(Task task) {
    return depend(task.ref());
  }

  /** Requires that tasks are at the named versions. */
  public static Modification depend(TaskRef... tasks) {
    return new Modification(List.of(), List.of(), List.of(), List.of(tasks), Optional.empty(), "");
  }

  /**
   * Reports that the work on a task has failed: {@link Fail}.
   *
   * @param err why; replaces the task's error
   */
  public static Modification fail(Task task, String err) {
    return builder().fail(new Fail(task.ref(), err, Optional.empty())).build();
  }

  /** The same, with a rest of zero or more that replaces that of the policy. */
  public static Modification fail(Task task, String err, Duration delay) {
    return builder().fail(new Fail(task.ref(), err, Optional.of(delay))).build();
  }

  /** Sets or replaces the rules of queues or of a limiter. A pause stays. */
  public static Modification put(Policies.Rules rules) {
    return builder().write(new Policies.Put(rules, Optional.empty())).build();
  }

  /** Removes rules and pause; there must be any. */
  public static Modification deletePolicy(Policies.Target target) {
    return builder().write(new Policies.Delete(target, Optional.empty())).build();
  }

  /**
   * Pauses queues or a limiter: no claim gets a task of theirs.
   *
   * @param length counted from now; {@link Claim#FOREVER} until resumed
   */
  public static Modification pause(Policies.Target target, Duration length) {
    return builder().write(new Policies.Pause(target, length)).build();
  }

  /** Ends a pause, if there is one. */
  public static Modification resume(Policies.Target target) {
    return pause(target, Duration.ZERO);
  }

  /** Starts empty. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts with everything in this modification. */
  public Builder toBuilder() {
    return new Builder().add(this);
  }

  /**
   * Combines two modifications into one. A claimant or then-claim of the other replaces this one's.
   */
  public Modification and(Modification other) {
    return toBuilder().add(other).build();
  }

  /** Claims atomically after the writes, without waiting; replaces an earlier then-claim. */
  public Modification thenClaim(Claim claim) {
    return toBuilder().thenClaim(claim).build();
  }

  public Modification withInserts(List<Insert> newInserts) {
    return new Modification(
        newInserts, changes, deletes, depends, fails, policies, docs, thenClaim, claimant);
  }

  public Modification withClaimant(String newClaimant) {
    return new Modification(
        inserts, changes, deletes, depends, fails, policies, docs, thenClaim, newClaimant);
  }

  public Modification withDocs(DocModification newDocs) {
    return new Modification(
        inserts, changes, deletes, depends, fails, policies, newDocs, thenClaim, claimant);
  }

  /**
   * The modification without inserts whose ids are taken. Empty if that would fail too, because of
   * another failure or an insert that must not be skipped.
   */
  Optional<Modification> withoutTaken(
      ModifyResult.DependencyFailure failure, Predicate<Insert> skippable) {
    Set<TaskId> taken = new HashSet<>();
    failure.collisions().forEach(ref -> taken.add(ref.id()));
    List<Insert> rest =
        inserts.stream()
            .filter(insert -> !(insert.hasIdIn(taken) && skippable.test(insert)))
            .toList();
    boolean helps =
        failure.onlyCollisions()
            && failure.docs().collisions().isEmpty()
            && rest.size() < inserts.size()
            && rest.stream().noneMatch(insert -> insert.hasIdIn(taken));
    return helps ? Optional.of(withInserts(rest)) : Optional.empty();
  }

  /** Whether it neither writes nor depends nor claims. */
  public boolean isEmpty() {
    return inserts.isEmpty()
        && changes.isEmpty()
        && deletes.isEmpty()
        && depends.isEmpty()
        && fails.isEmpty()
        && policies.isEmpty()
        && docs.isEmpty()
        && thenClaim.isEmpty();
  }

  /**
   * Whether it needs an EntroQ that {@linkplain EntroQ#hasPolicies() has policies}: because of a
   * failure, a write to a policy, or a task that expires or has a trace.
   */
  public boolean needsPolicies() {
    return !fails.isEmpty()
        || !policies.isEmpty()
        || inserts.stream().anyMatch(Insert::hasAttributes)
        || changes.stream().anyMatch(change -> change.timeToLive().isPresent());
  }

  /**
   * Refuses a modification that needs policies. For an EntroQ without them.
   *
   * @throws EntroQException.InvalidArgument if it {@link #needsPolicies()}
   */
  public void refuseIfItNeedsPolicies() {
    if (needsPolicies()) {
      throw new EntroQException.InvalidArgument(
          "modify: failures, policies, pauses, expiry and traces need a log or server of behavior"
              + " level 8; EntroQ.hasPolicies() tells");
    }
  }

  /** Builds a {@link Modification}. Not thread-safe. */
  public static final class Builder {
    private final List<Insert> inserts = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<TaskRef> deletes = new ArrayList<>();
    private final List<TaskRef> depends = new ArrayList<>();
    private final List<Fail> fails = new ArrayList<>();
    private final List<Policies.Write> policies = new ArrayList<>();
    private final List<DocInsert> docInserts = new ArrayList<>();
    private final List<DocChange> docChanges = new ArrayList<>();
    private final List<Doc.Ref> docDeletes = new ArrayList<>();
    private final List<Doc.Ref> docDepends = new ArrayList<>();
    private final List<DocSet.LeaseChange> setLeases = new ArrayList<>();
    private final List<DocSet.Ref> setDepends = new ArrayList<>();
    private Optional<Claim> thenClaim = Optional.empty();
    private String claimant = "";

    private Builder() {}

    public Builder insert(Insert insert) {
      inserts.add(insert);
      return this;
    }

    public Builder insert(String queue, Value value) {
      return insert(Insert.into(queue).withValue(value));
    }

    /** Inserts a task with a text as its value: {@link Value#text(String)}. */
    public Builder insert(String queue, String text) {
      return insert(queue, Value.text(text));
    }

    public Builder change(Change change) {
      changes.add(change);
      return this;
    }

    /** Renews the lease of a task: {@link Change#renew}. */
    public Builder renew(Task task, Duration lease) {
      return change(Change.renew(task, lease));
    }

    /** Ends the lease of a task: {@link Change#release}. */
    public Builder release(Task task) {
      return change(Change.release(task));
    }

    /** Deletes a task, which must still be at this version. */
    public Builder delete(Task task) {
      return delete(task.ref());
    }

    public Builder delete(TaskRef task) {
      deletes.add(task);
      return this;
    }

    /** Requires that a task is still at this version. */
    public Builder depend(Task task) {
      return depend(task.ref());
    }

    /** Requires that a task is at the named version. */
    public Builder depend(TaskRef task) {
      depends.add(task);
      return this;
    }

    /** Reports that the work on a task has failed. */
    public Builder fail(Fail fail) {
      fails.add(fail);
      return this;
    }

    /** Writes to a policy, a limiter or a pause. */
    public Builder write(Policies.Write write) {
      policies.add(write);
      return this;
    }

    public Builder insertDoc(DocInsert insert) {
      docInserts.add(insert);
      return this;
    }

    public Builder changeDoc(DocChange change) {
      docChanges.add(change);
      return this;
    }

    public Builder deleteDoc(Doc.Ref doc) {
      docDeletes.add(doc);
      return this;
    }

    /** Requires that a doc exists and its set is at the named version. */
    public Builder dependOnDoc(Doc.Ref doc) {
      docDepends.add(doc);
      return this;
    }

    /** Holds a doc set for this long from now on; zero releases it. */
    public Builder renewSet(DocSet.Ref set, Duration lease) {
      return changeSetLease(new DocSet.LeaseChange(set, lease));
    }

    /** Ends the lease of a doc set. */
    public Builder releaseSet(DocSet.Ref set) {
      return renewSet(set, Duration.ZERO);
    }

    public Builder changeSetLease(DocSet.LeaseChange change) {
      setLeases.add(change);
      return this;
    }

    /** Requires that a doc set is at the named version. */
    public Builder dependOnSet(DocSet.Ref set) {
      setDepends.add(set);
      return this;
    }

    /** Claims atomically after the writes, without waiting; replaces an earlier then-claim. */
    public Builder thenClaim(Claim claim) {
      thenClaim = Optional.of(claim);
      return this;
    }

    public Builder claimant(String newClaimant) {
      claimant = newClaimant;
      return this;
    }

    /**
     * Adds everything in another modification; its claimant and then-claim replace earlier ones.
     */
    public Builder add(Modification other) {
      inserts.addAll(other.inserts);
      changes.addAll(other.changes);
      deletes.addAll(other.deletes);
      depends.addAll(other.depends);
      fails.addAll(other.fails);
      policies.addAll(other.policies);
      docInserts.addAll(other.docs.inserts());
      docChanges.addAll(other.docs.changes());
      docDeletes.addAll(other.docs.deletes());
      docDepends.addAll(other.docs.depends());
      setLeases.addAll(other.docs.setLeases());
      setDepends.addAll(other.docs.setDepends());
      thenClaim = other.thenClaim.or(() -> thenClaim);
      claimant = other.claimant.isEmpty() ? claimant : other.claimant;
      return this;
    }

    /**
     * Builds the modification.
     *
     * @throws EntroQException.InvalidArgument if the claimant is longer than 1,024 bytes
     */
    public Modification build() {
      DocModification docs =
          new DocModification(
              docInserts, docChanges, docDeletes, docDepends, setLeases, setDepends);
      return new Modification(
          inserts, changes, deletes, depends, fails, policies, docs, thenClaim, claimant);
    }
  }
}
