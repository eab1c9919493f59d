package io.entroq.api;

import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A request for doc sets under a lease, all or none. It never waits. A claimant may claim sets it
 * already holds, which renews their lease. Immutable; the {@code with} methods return altered
 * copies.
 *
 * <pre>{@code
 * queue.claimDocs(DocClaim.of("users", "ann").and("accounts", "ann").withTask(task)).orThrow();
 * }</pre>
 *
 * @param sets the sets to claim, 1 to 1,000, each once
 * @param lease how long the claimant holds the sets: zero or more, in whole milliseconds; ignored
 *     with a task. A server takes zero for its default, and bounds others
 * @param task if given, the sets are held until the end of this task's lease; the claim fails
 *     unless the task is still at this version and its lease has not ended
 * @param claimant who claims; if empty, the {@linkplain EntroQ#claimant() claimant of the EntroQ}
 */
public record DocClaim(List<Target> sets, Duration lease, Optional<TaskRef> task, String claimant) {
  /** The largest number of sets. */
  public static final int SETS_MAX = 1_000;

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public DocClaim {
    sets = List.copyOf(sets);
    Checks.inRange("number of sets", sets.size(), 1, SETS_MAX);
    Checks.notNegative("lease", lease);
    Objects.requireNonNull(task, "task");
    Checks.claimant(claimant);
  }

  /** Claims the set of a key, with its docs, for 45 seconds. */
  public static DocClaim of(String namespace, String key) {
    return new DocClaim(
        List.of(new Target(namespace, key, false)), Claim.DEFAULT_LEASE, Optional.empty(), "");
  }

  /** Claims another set, too, with its docs. */
  public DocClaim and(String namespace, String key) {
    List<Target> all = new ArrayList<>(sets);
    all.add(new Target(namespace, key, false));
    return new DocClaim(all, lease, task, claimant);
  }

  /** Leaves the docs of all sets so far out of the result. */
  public DocClaim withoutDocs() {
    List<Target> all =
        sets.stream().map(set -> new Target(set.namespace(), set.key(), true)).toList();
    return new DocClaim(all, lease, task, claimant);
  }

  public DocClaim withLease(Duration newLease) {
    return new DocClaim(sets, newLease, task, claimant);
  }

  /** Holds the sets until the end of a claimed task's lease. */
  public DocClaim withTask(Task newTask) {
    return new DocClaim(sets, lease, Optional.of(newTask.ref()), claimant);
  }

  public DocClaim withClaimant(String newClaimant) {
    return new DocClaim(sets, lease, task, newClaimant);
  }

  public long leaseMs() {
    return Times.toMs(lease);
  }

  /**
   * A set to claim, whether or not it has docs.
   *
   * @param namespace the namespace, 1 to 1,024 bytes of UTF-8
   * @param key the key, 1 to 1,024 bytes of UTF-8
   * @param omitDocs whether to leave its docs out of the result
   */
  public record Target(String namespace, String key, boolean omitDocs) {
    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Target {
      Checks.namespace(namespace);
      Checks.setKey(key);
    }
  }
}
