package io.entroq.simulator.check;

import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.DeadReasons;
import io.entroq.simulator.policy.Hold;
import io.entroq.simulator.policy.PolicyTable;
import io.entroq.simulator.policy.RestRange;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/** What becomes of tasks that fail, lapse, expire or have no room; and what time alone ends. */
final class FailureRules {
  /** How many tasks expire, and how many leases are seen to end, in one step. */
  private static final int ENDED_MAX = 1_000;

  private static final int NAME_BYTES_MAX = 1_024;
  private static final long HOUR_MS = 60L * 60 * 1_000;

  private final Account account;
  private final Cells cells;
  private final Queues queues;
  private final PolicyTable policies;
  private final ClaimRules claims;

  FailureRules(Account account, ClaimRules claims) {
    this.account = account;
    this.cells = account.cells;
    this.queues = account.queues;
    this.policies = account.policies;
    this.claims = claims;
  }

  // Time.

  /** Ends what ends at this time: tasks that expire, leases where that counts, and pauses. */
  void advance(Step step) {
    account.remembered.forget(step.nowMs);
    for (int i = 0; i < ENDED_MAX && queues.firstExpiryMs() <= step.nowMs; i++) {
      expire(step, queues.firstToExpire());
    }
    long epoch = policies.epoch();
    IntArrayList members = account.pools.members();
    policies.removeEnded(step.nowMs);
    if (policies.epoch() != epoch) {
      touchWaited(members);
      queues.removeUnused(step.nowMs);
    }
    int left = ENDED_MAX;
    while (left > 0 && queues.firstCountedMs() <= step.nowMs) {
      int queue = queues.firstCounted();
      queues.touch(queue);
      left -= Math.max(1, queues.promote(queue, left, step.nowMs));
      buryLapsed(step);
    }
  }

  /**
   * Queues with waiting claims follow a write of policies at once, and members of pools.
   *
   * @param members those before the write
   */
  void touchWaited(IntArrayList members) {
    members.forEachInt(queues::touch);
    account.pools.members().forEachInt(queues::touch);
    int queue = queues.firstWaited();
    while (queue != Cells.NONE) {
      queues.touch(queue);
      queue = cells.ref(queue + Queues.NEXT_WAITED);
    }
  }

  private void expire(Step step, int task) {
    queues.settle(task, step.nowMs);
    int queue = cells.ref(task + Tasks.QUEUE);
    byte[] to = policies.expiredQueue(queues.policy(queue));
    queues.detach(task);
    end(task);
    if (to == null) {
      queues.countDead(queue);
      remember(task, step.nowMs);
      remove(task);
    } else {
      cells.add(task + Tasks.VERSION, 1);
      bury(step, task, DeadReasons.EXPIRED, to);
    }
  }

  /**
   * Makes due tasks of a queue ready before a choice. What lapsed without being seen to in time did
   * so before the policy was known to apply, so that its next lapse counts.
   */
  void promote(Step step, int queue) {
    queues.touch(queue);
    queues.promote(queue, step.nowMs);
    queues.takeLapsed();
  }

  private void buryLapsed(Step step) {
    for (int task : queues.takeLapsed()) {
      int queue = cells.ref(task + Tasks.QUEUE);
      int policy = queues.policy(queue);
      long max = policy == Cells.NONE ? 0 : cells.get(policy + PolicyTable.LAPSES_MAX);
      byte[] to = policies.deadQueue(policy, account.nameBytes(queue));
      if (max > 0 && cells.get(task + Tasks.LAPSES) >= max && to.length <= NAME_BYTES_MAX) {
        queues.detach(task);
        cells.add(task + Tasks.VERSION, 1);
        bury(step, task, DeadReasons.LAPSED, to);
      }
    }
  }

  // Deaths.

  /** Moves a detached task whose version has been raised to a queue for dead or expired tasks. */
  private void bury(Step step, int task, int reason, byte[] to) {
    int queue = cells.ref(task + Tasks.QUEUE);
    queues.countDead(queue);
    end(task);
    remember(task, step.nowMs);
    cells.set(task + Tasks.ORIGIN, PolicyTable.hash(account.nameBytes(queue)));
    cells.set(task + Tasks.REASON, reason);
    cells.set(task + Tasks.DEAD_AT_MS, step.nowMs);
    cells.set(task + Tasks.LAPSES, 0);
    // What is dead is kept until somebody looks at it.
    cells.set(task + Tasks.EXPIRES_MS, 0);
    cells.set(task + Tasks.ARRIVAL_MS, step.nowMs);
    cells.set(task + Tasks.MODIFIED_MS, step.nowMs);
    cells.set(task + Tasks.IS_GIVEN_BACK, 0);
    claims.claimant(task, 0, 0, 0);
    UnsafeBuffer name = new UnsafeBuffer(to);
    cells.set(task + Tasks.QUEUE, queues.of(account.names.number(name, 0, to.length)));
    queues.arrive(cells.ref(task + Tasks.QUEUE), step.nowMs);
    queues.attach(task, step.nowMs);
  }

  /** Nobody works on a task any more, and it loses its place in front. */
  void end(int task) {
    queues.hold(task, Hold.NONE);
    queues.leaveFront(task);
  }

  /** The id of a task that leaves its queue stays taken, if the policy says so. */
  void remember(int task, long nowMs) {
    int policy = queues.policy(cells.ref(task + Tasks.QUEUE));
    long ms = policy == Cells.NONE ? 0 : cells.get(policy + PolicyTable.REMEMBER_IDS_MS);
    if (ms > 0) {
      account.remembered.add(
          cells.get(task + Tasks.HIGH),
          cells.get(task + Tasks.LOW),
          ClaimRules.saturatedSum(nowMs, ms));
    }
  }

  /** Removes a detached task. */
  void remove(int task) {
    claims.releaseClaimant(task);
    account.replaceContent(task, -1);
    account.tasks.remove(task);
  }

  /** The oldest available tasks make room in a queue that drops them. */
  void drop(Step step, int queue, int most) {
    for (int i = 0; i < most && cells.get(queue + Queues.OLDEST) != Cells.NONE; i++) {
      int policy = queues.policy(queue);
      if (!account.isBeyond(queue, policy)) {
        return;
      }
      int task = cells.ref(queue + Queues.OLDEST);
      boolean hasDeadQueue = policies.namedDeadQueue(policy) != null || policies.hasRetry(policy);
      byte[] to = policies.deadQueue(policy, account.nameBytes(queue));
      queues.detach(task);
      if (hasDeadQueue && to.length <= NAME_BYTES_MAX) {
        cells.add(task + Tasks.VERSION, 1);
        bury(step, task, DeadReasons.OVERFLOW, to);
      } else {
        queues.countDead(queue);
        end(task);
        remember(task, step.nowMs);
        remove(task);
      }
    }
  }

  // Failures.

  /** Work has ended well. */
  void succeeded(int queue) {
    cells.set(queue + Queues.FAILURES, 0);
  }

  /** Work has failed: too many failures in a row break the queue. */
  void failed(Step step, int queue) {
    int policy = queues.policy(queue);
    long most = policy == Cells.NONE ? 0 : cells.get(policy + PolicyTable.BREAKER_FAILURES);
    if (most == 0) {
      return;
    }
    cells.add(queue + Queues.FAILURES, 1);
    if (cells.get(queue + Queues.FAILURES) >= most) {
      long ms = cells.get(policy + PolicyTable.BREAKER_PAUSE_MS);
      cells.set(queue + Queues.BROKEN_UNTIL_MS, ClaimRules.saturatedSum(step.nowMs, ms));
      cells.set(queue + Queues.FAILURES, 0);
    }
  }

  /** A task that a worker reports as failed. */
  void fail(Step step, ModifyDecoder modify, FailDecoder fail, int task, int reported) {
    queues.settle(task, step.nowMs);
    int queue = cells.ref(task + Tasks.QUEUE);
    queues.detach(task);
    failed(step, queue);
    long bytes = cells.get(task + Tasks.CONTENT_BYTES);
    long err = cells.get(task + Tasks.ERR_BYTES);
    account.replaceContent(task, bytes - err + fail.errLength());
    cells.set(task + Tasks.CONTENT_BYTES, bytes - err + fail.errLength());
    cells.set(task + Tasks.ERR_BYTES, fail.errLength());
    cells.set(task + Tasks.ERR, Hashes.bytes(modify.buffer(), fail.errOffset(), fail.errLength()));
    long attempt = cells.get(task + Tasks.ATTEMPT);
    cells.set(task + Tasks.ATTEMPT, Math.min(attempt + 1, Integer.MAX_VALUE));
    cells.add(task + Tasks.VERSION, 1);
    cells.set(task + Tasks.MODIFIED_MS, step.nowMs);
    cells.set(task + Tasks.IS_GIVEN_BACK, 0);
    rest(step, task, fail.hasDelay() ? fail.delayMs() : -1, reported);
  }

  /**
   * Decides what becomes of a detached task whose attempt and version have been raised: it rests in
   * its queue, as long as the answer says if that is possible, or dies.
   *
   * @param delayMs how long it rests, whatever the policy says; -1: as the policy says
   */
  void rest(Step step, int task, long delayMs, int reported) {
    int queue = cells.ref(task + Tasks.QUEUE);
    int policy = queues.policy(queue);
    boolean hasRetry = policy != Cells.NONE && policies.hasRetry(policy);
    int attempt = (int) cells.get(task + Tasks.ATTEMPT);
    long most = hasRetry ? cells.get(policy + PolicyTable.ATTEMPTS_MAX) : 0;
    byte[] to = policies.deadQueue(policy, account.nameBytes(queue));
    boolean isLast = most > 0 && attempt >= most;
    if (isLast && to.length <= NAME_BYTES_MAX) {
      bury(step, task, DeadReasons.FAILED, to);
      return;
    }
    queues.comeFirst(task);
    long arrivalMs = account.answers.get(reported + Tasks.ARRIVAL_MS);
    RestRange range = new RestRange(Math.max(0, delayMs), Math.max(0, delayMs));
    if (isLast) {
      long maxMs = cells.get(policy + PolicyTable.RETRY_MAX_MS);
      range = new RestRange(maxMs == 0 ? HOUR_MS : maxMs, maxMs == 0 ? HOUR_MS : maxMs);
    } else if (delayMs < 0 && hasRetry) {
      range = policies.rest(policy, attempt);
    }
    long leastMs = ClaimRules.saturatedSum(step.nowMs, range.leastMs());
    long mostMs = ClaimRules.saturatedSum(step.nowMs, range.mostMs());
    if (arrivalMs < leastMs || arrivalMs > mostMs) {
      throw Invariant.FAILED_GOES_WHERE_POLICY_SAYS.broken(
          account.tasks.name(task),
          "a rest of " + range.leastMs() + " to " + range.mostMs() + " ms",
          "until " + (arrivalMs - step.nowMs) + " ms from now");
    }
    queues.hold(task, arrivalMs > step.nowMs ? Hold.RESTING : Hold.NONE);
    cells.set(task + Tasks.LAPSES, 0);
    cells.set(task + Tasks.ARRIVAL_MS, arrivalMs);
    claims.claimant(task, 0, 0, 0);
    queues.attach(task, step.nowMs);
  }

  /** Whether a name is that of the queue for dead tasks of a queue with a policy. */
  boolean isDeadQueue(int queue, int other) {
    int policy = queues.policy(queue);
    return policy != Cells.NONE
        && Arrays.equals(
            policies.deadQueue(policy, account.nameBytes(queue)), account.nameBytes(other));
  }
}
