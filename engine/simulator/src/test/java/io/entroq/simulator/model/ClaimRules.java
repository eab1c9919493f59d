package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Task;
import io.entroq.simulator.check.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** How tasks are taken and given back. */
final class ClaimRules {
  private static final long CLAIM_BYTES_MAX = 8L << 20;

  private final State state;

  ClaimRules(State state) {
    this.state = state;
  }

  static int limit(Claim claim) {
    return Math.max(1, claim.getLimit());
  }

  boolean findsWork(Claim claim, long nowMs) {
    return claim.getQueuesList().stream().anyMatch(queue -> state.tasks.hasAvailable(queue, nowMs));
  }

  /** As below, for a claim that only its own bounds hold back. */
  List<Grant> take(Step step, Claim claim, Id claimant, int most, List<Task> picks) {
    return take(step, claim, claimant, most, CLAIM_BYTES_MAX, picks);
  }

  /**
   * Contract 2.2.1, core 4.5: one to `most` tasks, each available in one of the queues. Which ones
   * is free; their number and everything about them is not.
   */
  List<Grant> take(
      Step step, Claim claim, Id claimant, int most, long bytesMost, List<Task> picks) {
    Set<String> queues = new LinkedHashSet<>(claim.getQueuesList());
    long bytesMax = Math.min(bytesMost, CLAIM_BYTES_MAX);
    int available = state.tasks.countAvailable(queues, step.nowMs, most);
    int count = withinBytes(picks, bytesMax, available);
    Violation.checkEqual(
        "a claim takes what is available, up to its limit", queues, count, picks.size());
    Set<Key> taken = new HashSet<>();
    List<Grant> grants = new ArrayList<>();
    for (Task pick : picks) {
      Violation.check(
          taken.add(Key.of(pick.getId())), "a claim takes a task once", name(pick), "once", pick);
      Grant grant = takeOne(step, claim, claimant, queues, pick);
      Violation.checkEqual("effect of a claim", name(pick), grant.after().fields(), pick);
      grants.add(grant);
    }
    return grants;
  }

  /**
   * The tasks as they were handed over: equal to the picks, with the values that are kept anyway.
   */
  static List<Task> claimed(List<Grant> grants) {
    return grants.stream().map(grant -> grant.after().fields()).toList();
  }

  /** No further task once the values and error texts of those before come to the bound. */
  private static int withinBytes(List<Task> picks, long bytesMax, int count) {
    long bytes = 0;
    for (int i = 0; i < picks.size(); i++) {
      bytes += bytes(picks.get(i));
      if (bytes >= bytesMax) {
        return Math.min(count, i + 1);
      }
    }
    return count;
  }

  /** What the values and error texts come to. */
  static long bytes(List<Task> tasks) {
    return tasks.stream().mapToLong(ClaimRules::bytes).sum();
  }

  private static long bytes(Task task) {
    return (long) task.getValue().size() + task.getErrBytes().size();
  }

  private Grant takeOne(Step step, Claim claim, Id claimant, Set<String> queues, Task pick) {
    ModelTask found = state.tasks.find(Key.of(pick.getId()));
    Violation.check(
        found != null
            && found.isAvailable(step.nowMs)
            && queues.contains(found.fields().getQueue()),
        "only an available task of an asked queue is claimed",
        name(pick),
        "available in " + queues,
        found == null ? "no such task: " + pick : found);
    Task before = found.fields();
    Task after =
        before.toBuilder()
            .setVersion(before.getVersion() + 1)
            .setClaims(before.getClaims() + 1)
            .setClaimant(claimant)
            .setArrivalMs(saturatingSum(step.nowMs, claim.getLeaseMs()))
            .setModifiedMs(step.nowMs)
            .build();
    return new Grant(before, state.tasks.replace(after));
  }

  /**
   * Core 4.4: arrival time and claimant restored, claims -1, version +1, unless the task has moved
   * on.
   */
  void giveBack(Step step, List<Grant> grants) {
    for (Grant grant : grants) {
      if (stands(grant.after())) {
        Task current = state.tasks.find(grant.after().key()).fields();
        state.tasks.replace(
            current.toBuilder()
                .setArrivalMs(grant.before().getArrivalMs())
                .setClaimant(grant.before().getClaimant())
                .setClaims(current.getClaims() - 1)
                .setVersion(current.getVersion() + 1)
                .setModifiedMs(step.nowMs)
                .build());
        nowAvailable(current.getQueue());
      }
    }
  }

  /** Whether a task is the same one still, at the version that it was handed out with. */
  boolean stands(ModelTask handedOut) {
    ModelTask task = state.tasks.find(handedOut.key());
    return task != null
        && task.insertedAt() == handedOut.insertedAt()
        && task.fields().getVersion() == handedOut.fields().getVersion();
  }

  /** Core 4.5: a queue that is touched while somebody waits for it is served, in order. */
  void nowAvailable(String queue) {
    if (state.waiters.anyIn(queue)) {
      state.serveList.add(queue);
    }
  }

  /** Core 5.1: `now + duration` saturates. */
  static long saturatingSum(long nowMs, long durationMs) {
    long sum = nowMs + durationMs;
    return sum < nowMs ? Long.MAX_VALUE : sum;
  }

  private static Key name(Task task) {
    return Key.of(task.getId());
  }
}
