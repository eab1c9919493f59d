package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Uses a queue once: inserts, claims and deletes a task, sometimes waiting before the insert. So
 * queues come and go.
 */
final class QueueVisitor extends Actor {
  private static final int INSERT = 1;
  private static final int CLAIM = 2;
  private static final int DELETE = 3;

  private static final int LEASE_MS = 10_000;
  private static final int WAIT_MS = 5_000;

  private int queue;

  QueueVisitor(
      ClientContext context, SeededRandom random, int index, boolean isIdentified, boolean isV0) {
    super(context, random, index, isIdentified, isV0);
  }

  @Override
  void act() {
    queue = QueueNames.LASTING + random.below(QueueNames.PASSING);
    boolean waitsFirst = caller().isIdentified() && caller().ackedBelow() > 1 && random.oneIn(2);
    if (waitsFirst) {
      claim(true);
    }
    KnownTask task = context.contents.fresh(random, caller(), queue);
    context.draft.modify(caller()).insert(task).send(waitsFirst ? DELETE : INSERT);
  }

  private void claim(boolean waits) {
    ClaimTerms terms = context.terms.clear();
    terms.queues.addInt(queue);
    terms.leaseMs = LEASE_MS;
    terms.limit = 1 + random.below(3);
    terms.waits = waits;
    terms.deadlineMs = waits ? context.logTime.nowMs() + WAIT_MS : 0;
    context.draft.claim(caller(), terms, CLAIM);
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (call.purpose == INSERT && result.code() == ResultCodes.OK) {
      claim(caller().isIdentified() && random.oneIn(4));
    } else if (claimed.length > 0) {
      RequestDraft draft = context.draft.modify(caller());
      for (KnownTask task : claimed) {
        draft.delete(task, task.version, random.oneIn(2));
      }
      draft.send(DELETE).tasks = claimed;
    } else if (call.tasks != null && result.code() == ResultCodes.OK) {
      context.noteDeleted(call);
    }
  }
}
