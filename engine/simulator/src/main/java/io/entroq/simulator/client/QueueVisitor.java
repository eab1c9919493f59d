package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Uses a queue once: puts a task into it, or waits for one there before it is put, takes it and
 * deletes it. So queues come and go.
 */
final class QueueVisitor extends Actor {
  private static final int INSERT = 1;
  private static final int CLAIM = 2;
  private static final int DELETE = 3;

  private static final int LEASE_MS = 10_000;
  private static final int WAIT_MS = 5_000;

  private int queue;

  QueueVisitor(
      ClientContext commons, SeededRandom chance, int index, boolean isIdentified, boolean isV0) {
    super(commons, chance, index, isIdentified, isV0);
  }

  @Override
  void act() {
    queue = QueueNames.LASTING + chance.below(QueueNames.PASSING);
    boolean waitsFirst = caller().isIdentified() && caller().ackedBelow() > 1 && chance.oneIn(2);
    if (waitsFirst) {
      claim(true);
    }
    KnownTask task = commons.contents.fresh(chance, caller(), queue);
    commons.draft.modify(caller()).insert(task).send(waitsFirst ? DELETE : INSERT);
  }

  private void claim(boolean waits) {
    ClaimTerms asked = commons.asked.clear();
    asked.queues.addInt(queue);
    asked.leaseMs = LEASE_MS;
    asked.limit = 1 + chance.below(3);
    asked.waits = waits;
    asked.deadlineMs = waits ? commons.logTime.nowMs() + WAIT_MS : 0;
    commons.draft.claim(caller(), asked, CLAIM);
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (call.purpose == INSERT && result.code() == ResultCodes.OK) {
      claim(caller().isIdentified() && chance.oneIn(4));
    } else if (claimed.length > 0) {
      RequestDraft draft = commons.draft.modify(caller());
      for (KnownTask task : claimed) {
        draft.delete(task, task.version, chance.oneIn(2));
      }
      draft.send(DELETE).tasks = claimed;
    } else if (call.tasks != null && result.code() == ResultCodes.OK) {
      commons.noteDeleted(call);
    }
  }
}
