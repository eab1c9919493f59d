package io.entroq.simulator.client;

import io.entroq.codec.message.Fairs;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.message.Slice;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.charset.StandardCharsets;

/**
 * Uses queues of its own, as {@link PolicyUser} does, of which policies make pools, one within
 * another, and a topic whose groups come and go.
 */
final class PoolUser extends PolicyUser {
  private static final int WRITE_AND_INSERT = 6;
  private static final int ROOT = QueueNames.POOLED.number("p");
  private static final int TOPIC = QueueNames.POOLED.number(QueueNames.TOPIC);

  /** Policies of the first names, which often are pools, matter to many others. */
  private static final int FIRST_NAMES = 3;

  private static final int[] WEIGHTS = {0, 1, 2, 3, 8, 1_024};

  /** The last task that went into the topic. */
  private KnownTask copied;

  PoolUser(ClientContext context, SeededRandom random, int index) {
    super(context, random, index, QueueNames.POOLED);
  }

  @Override
  int anyQueue() {
    return random.oneIn(2) ? names.first() + random.below(FIRST_NAMES) : names.anyTarget(random);
  }

  // Policies.

  @Override
  void write() {
    if (!random.oneIn(8)) {
      super.write();
      return;
    }
    copied = draw(TOPIC);
    RequestDraft draft = context.draft.modify(caller()).insert(copied);
    if (random.oneIn(4)) {
      draft.policyDelete(PolicyKinds.QUEUE, TOPIC);
    } else {
      PolicyEncoder policy = draft.policy(PolicyKinds.QUEUE, TOPIC);
      groups(policy);
      draft.policyPut(policy);
    }
    draft.send(WRITE_AND_INSERT, WRITE_CODES | INSERT_CODES).inserted = new KnownTask[] {copied};
  }

  @Override
  void shape(PolicyEncoder policy, int name) {
    boolean isPool = name != names.prefixNumber() && !random.oneIn(name == TOPIC ? 1 : 3);
    if (isPool) {
      pool(policy, name);
    }
    if (random.oneIn(2)) {
      policy.weight(WEIGHTS[random.below(WEIGHTS.length)]).rank(random.below(3));
    }
    if (name == TOPIC) {
      groups(policy);
    }
  }

  private void pool(PolicyEncoder policy, int name) {
    // Few tasks reach a pool within a pool.
    boolean isRoot = name == ROOT;
    policy.fair(Fairs.LEAST_IN_FLIGHT + random.below(Fairs.STRICT_RANK));
    policy.poolDepth(random.below(3) + (isRoot ? 1 : 0));
    if (random.oneIn(3)) {
      policy.poolInFlightMax(1 + random.below(isRoot ? 6 : 2));
    }
    if (random.oneIn(3)) {
      policy.poolRateLimit(random.between(1, isRoot ? 20 : 3));
      policy.poolRatePeriodMs(random.between(1, 5) * 1_000);
      policy.poolRateBurst(random.between(1, isRoot ? 5 : 2));
    }
  }

  /** Long pauses of pools would leave little else to do. */
  @Override
  void pause() {
    if (random.oneIn(4)) {
      super.pause();
      return;
    }
    int pool = names.first() + random.below(2);
    RequestDraft draft = context.draft.modify(caller());
    draft.pause(PolicyKinds.QUEUE, pool, random.between(100, 4_000)).send(WRITE, WRITE_CODES);
  }

  private void groups(PolicyEncoder policy) {
    for (String group : QueueNames.GROUPS) {
      if (!random.oneIn(3)) {
        policy.group(new Slice(group.getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  // Tasks.

  @Override
  KnownTask draw(int queue) {
    KnownTask task = super.draw(queue);
    task.attempt = random.oneIn(8) ? 1 : 0;
    return task;
  }

  @Override
  Call insert(KnownTask... tasks) {
    Call call = super.insert(tasks);
    call.inserted = tasks;
    return call;
  }

  @Override
  void insert() {
    if (copied != null && random.oneIn(10)) {
      insert(copied);
    } else if (random.oneIn(4)) {
      copied = draw(TOPIC);
      insert(copied);
    } else {
      super.insert();
    }
  }

  /** Or gives the task another value of the same length, which other copies do not get. */
  @Override
  void write(RequestDraft draft, KnownTask task, long leaseMs) {
    if (random.oneIn(2)) {
      super.write(draft, task, leaseMs);
      return;
    }
    KnownTask content = new KnownTask().copyContent(task);
    content.idLow = random.next();
    content.byMs = leaseMs;
    draft.change(task, content);
  }

  @Override
  void addQueues(ClaimTerms terms) {
    if (random.oneIn(2)) {
      terms.queues.addInt(names.first() + random.below(FIRST_NAMES));
    } else {
      super.addQueues(terms);
    }
  }
}
