package io.entroq.simulator.client;

import io.entroq.codec.message.Orders;
import io.entroq.codec.message.Overflows;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.RuledNames;
import io.entroq.simulator.client.knowledge.Values;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Uses queues with policies, which nobody else uses: writes policies and limiters, pauses and
 * resumes, inserts, asks where tasks stand, claims, and finishes, fails, releases, renews or
 * forgets what it got. The ledger knows what the policies permit, over all lives of an engine and
 * all leaders.
 */
class PolicyUser extends Actor {
  static final int WRITE = 1;
  private static final int INSERT = 2;
  private static final int CLAIM = 3;
  private static final int WORK = 4;
  private static final int ASK = 5;

  static final int WRITE_CODES =
      Call.OK_OR_DEPENDENCY
          | Call.bit(ResultCodes.POLICY_CIRCLE)
          | Call.bit(ResultCodes.POOL_TOO_DEEP);
  static final int INSERT_CODES =
      Call.OK_OR_DEPENDENCY
          | Call.bit(ResultCodes.QUEUE_FULL)
          | Call.bit(ResultCodes.QUEUE_BYTES_FULL)
          | Call.bit(ResultCodes.NEVER_FITS);

  /** Bounds the backlog that rates and pauses leave. */
  private static final int QUEUE_TASKS_MAX = 30;

  /** It asks about some of the tasks that it has seen last. */
  private static final int SEEN_MAX = 16;

  private static final int LEASE_MS_MAX = 5_000;
  private static final int WAIT_MS_MAX = 10_000;

  /** The queues that it uses. */
  final RuledNames names;

  private final KnownTask[] seen = new KnownTask[SEEN_MAX];
  private int seenCount;

  PolicyUser(ClientContext context, SeededRandom random, int index, RuledNames names) {
    super(context, random, index, true, false);
    this.names = names;
  }

  /** A queue that tasks are inserted into. */
  int anyQueue() {
    return names.anyTarget(random);
  }

  @Override
  void act() {
    int which = random.below(100);
    if (which < 6) {
      write();
    } else if (which < 10) {
      pause();
    } else if (which < 14 && seenCount > 0) {
      KnownTask task = seen[random.below(Math.min(seenCount, SEEN_MAX))];
      context.draft.position(caller(), task, random.oneIn(2), ASK);
    } else if (which < 48) {
      insert();
    } else {
      claim();
    }
  }

  // Policies.

  void write() {
    RequestDraft draft = context.draft.modify(caller());
    int which = random.below(20);
    if (which == 0) {
      draft.policyDelete(PolicyKinds.QUEUE, anyQueue());
    } else if (which < 4) {
      PolicyEncoder limiter = draft.policy(PolicyKinds.LIMITER, names.anyLimiter(random));
      limit(limiter);
      limiter.inFlightMax(random.below(4));
      draft.policyPut(limiter);
    } else {
      boolean isPrefix = which < 7;
      int name = isPrefix ? names.prefixNumber() : anyQueue();
      PolicyEncoder policy = draft.policy(isPrefix ? PolicyKinds.PREFIX : PolicyKinds.QUEUE, name);
      rules(draft, policy);
      shape(policy, name);
      draft.policyPut(policy);
    }
    draft.send(WRITE, WRITE_CODES);
  }

  /**
   * Adds what concerns pools and topics, whose fields have the highest numbers.
   *
   * @param name of a queue or the prefix
   */
  void shape(PolicyEncoder policy, int name) {}

  private void limit(PolicyEncoder policy) {
    if (random.oneIn(2)) {
      policy.rateLimit(random.between(1, 20)).ratePeriodMs(random.between(1, 5) * 1_000);
      policy.rateBurst(random.between(1, 5));
    }
  }

  /** The fields come in the order of their numbers. */
  private void rules(RequestDraft draft, PolicyEncoder policy) {
    boolean isStrict = random.oneIn(3);
    limit(policy);
    if (isStrict || random.oneIn(3)) {
      policy.inFlightMax(isStrict ? 1 : 1 + random.below(3));
    }
    if (random.oneIn(3)) {
      policy.limiter(draft.queueName(names.anyLimiter(random)));
    }
    if (random.oneIn(2)) {
      policy.retryBaseMs(random.between(1, 2_000)).retryMaxMs(8_000);
      policy.retryJitterMilli(random.oneIn(2) ? 0 : 500).attemptsMax(1 + random.below(4));
    }
    policy.lapsesMax(random.oneIn(3) ? 1 + random.below(3) : 0);
    if (random.oneIn(2)) {
      policy.deadQueue(draft.queueName(names.deadNumber()));
    }
    if (random.oneIn(4)) {
      policy.breakerFailures(2 + random.below(3)).breakerPauseMs(random.between(500, 10_000));
    }
    if (random.oneIn(4)) {
      policy.ttlMs(random.between(1_000, 60_000));
    }
    // Whatever expires is moved, as clients count the tasks that they have not deleted.
    policy.expiredQueue(draft.queueName(names.lateNumber()));
    if (random.oneIn(4)) {
      policy.tasksMax(5 + random.below(20));
      policy.overflow(random.oneIn(2) ? Overflows.DROP_OLDEST : Overflows.REFUSE);
    }
    policy.order(isStrict ? Orders.STRICT : random.oneIn(2) ? Orders.OLDEST : Orders.COIN);
    policy.rememberIdsMs(random.oneIn(4) ? random.between(1_000, 60_000) : 0);
  }

  void pause() {
    RequestDraft draft = context.draft.modify(caller());
    long pauseMs = random.oneIn(2) ? 0 : random.between(100, 20_000);
    switch (random.below(4)) {
      case 0 -> draft.pause(PolicyKinds.LIMITER, names.anyLimiter(random), pauseMs);
      case 1 -> draft.pause(PolicyKinds.PREFIX, names.prefixNumber(), pauseMs);
      default -> draft.pause(PolicyKinds.QUEUE, anyQueue(), pauseMs);
    }
    draft.send(WRITE, WRITE_CODES);
  }

  // Tasks.

  void insert() {
    int queue = anyQueue();
    KnownTask[] tasks = new KnownTask[1 + random.below(3)];
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = draw(queue);
    }
    insert(tasks);
  }

  /** A task to insert. */
  KnownTask draw(int queue) {
    KnownTask task = context.contents.brief(random, queue);
    see(task);
    return random.oneIn(4) ? TaskContents.arrivingIn(task, random.between(1, 3_000)) : task;
  }

  Call insert(KnownTask... tasks) {
    RequestDraft draft = context.draft.modify(caller());
    for (KnownTask task : tasks) {
      draft.insert(task);
    }
    return draft.queueTasksMax(QUEUE_TASKS_MAX).send(INSERT, INSERT_CODES);
  }

  private void see(KnownTask task) {
    seen[seenCount++ % SEEN_MAX] = task;
  }

  private void claim() {
    ClaimTerms terms = context.terms.clear();
    addQueues(terms);
    terms.limit = 1 + random.below(4);
    terms.leaseMs = random.between(100, LEASE_MS_MAX);
    if (caller().ackedBelow() > 1 && random.oneIn(2)) {
      terms.waits = true;
      terms.deadlineMs = context.logTime.nowMs() + random.between(1, WAIT_MS_MAX);
    }
    context.draft.claim(caller(), terms, CLAIM);
  }

  /** Adds the queues to claim from. */
  void addQueues(ClaimTerms terms) {
    int first = random.below(names.queueCount());
    for (int i = 1 + random.below(4); i > 0; i--) {
      terms.queues.addInt(names.first() + (first + i) % names.queueCount());
    }
  }

  @Override
  final void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    for (KnownTask task : claimed) {
      see(task);
    }
    if (claimed.length > 0 && !random.oneIn(10)) {
      work(claimed, call.leaseMs);
    }
  }

  private void work(KnownTask[] claimed, long leaseMs) {
    RequestDraft draft = context.draft.modify(caller());
    int which = random.below(10);
    for (KnownTask task : claimed) {
      if (which < 5) {
        draft.delete(task, task.version, true);
      } else if (which < 8) {
        long delayMs = random.oneIn(3) ? random.between(0, 3_000) : RequestDraft.POLICY_DELAY;
        draft.fail(task, random.below(Values.ERR_BYTES_MAX + 1), delayMs);
      } else {
        write(draft, task, which == 8 ? 0 : leaseMs);
      }
    }
    draft.send(WORK);
  }

  /** Releases a task, or renews its lease. */
  void write(RequestDraft draft, KnownTask task, long leaseMs) {
    draft.lease(task, leaseMs);
  }
}
