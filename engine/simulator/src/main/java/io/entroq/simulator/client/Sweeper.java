package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Claims and deletes leftover tasks, many at a time: in quarantine, in abandoned queues, and
 * everywhere while the world drains.
 */
final class Sweeper extends Actor {
  private static final int CLAIM = 1;
  private static final int CLAIM_ALL = 2;
  private static final int DELETE = 3;

  private static final int PASSING_AT_A_TIME = 50;
  private static final int LIMIT = 100;
  private static final int LEASE_MS = 20_000;

  private int nextPassing;

  Sweeper(
      ClientContext context, SeededRandom random, int index, boolean isIdentified, boolean isV0) {
    super(context, random, index, isIdentified, isV0);
    nextPassing = random.below(QueueNames.PASSING);
  }

  @Override
  void act() {
    ClaimTerms terms = context.terms.clear();
    terms.limit = LIMIT;
    terms.leaseMs = LEASE_MS;
    boolean isForAll = context.target.isDraining();
    for (int queue = isForAll ? 0 : QueueNames.QUARANTINE; queue < QueueNames.LASTING; queue++) {
      terms.queues.addInt(queue);
    }
    for (int i = 0; i < PASSING_AT_A_TIME; i++) {
      terms.queues.addInt(QueueNames.LASTING + nextPassing);
      nextPassing = (nextPassing + 1) % QueueNames.PASSING;
    }
    context.draft.claim(caller(), terms, isForAll ? CLAIM_ALL : CLAIM);
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (claimed.length > 0) {
      RequestDraft draft = context.draft.modify(caller());
      for (KnownTask task : claimed) {
        draft.delete(task, task.version, false);
      }
      draft.send(DELETE).tasks = claimed;
    } else if (call.purpose == CLAIM_ALL && result.code() == ResultCodes.EMPTY) {
      if (context.target.foundNothing()) {
        context.counters.emptied();
      }
    } else if (call.purpose == DELETE && result.code() == ResultCodes.OK) {
      context.noteDeleted(call);
    }
  }
}
