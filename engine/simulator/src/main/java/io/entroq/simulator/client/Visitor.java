package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.virtual.Chance;

/**
 * Uses a queue once: puts a task into it, or waits for one there before it is put, takes it and
 * deletes it. So queues come and go.
 */
final class Visitor extends Actor {
  private static final int INSERT = 1;
  private static final int CLAIM = 2;
  private static final int DELETE = 3;

  private static final int LEASE_MS = 10_000;
  private static final int WAIT_MS = 5_000;

  private int queue;

  Visitor(Commons commons, Chance chance, int index, boolean isIdentified, boolean isV0) {
    super(commons, chance, index, isIdentified, isV0);
  }

  @Override
  void act() {
    queue = Queues.LASTING + chance.below(Queues.PASSING);
    boolean waitsFirst = caller().isIdentified() && caller().ackedBelow() > 1 && chance.oneIn(2);
    if (waitsFirst) {
      claim(true);
    }
    Known task = commons.contents.fresh(chance, caller(), queue);
    commons.draft.modify(caller()).insert(task).send(waitsFirst ? DELETE : INSERT);
  }

  private void claim(boolean waits) {
    Asked asked = commons.asked.clear();
    asked.queues.addInt(queue);
    asked.leaseMs = LEASE_MS;
    asked.limit = 1 + chance.below(3);
    asked.waits = waits;
    asked.deadlineMs = waits ? commons.logTime.nowMs() + WAIT_MS : 0;
    commons.draft.claim(caller(), asked, CLAIM);
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, Known[] claimed) {
    if (call.purpose == INSERT && result.code() == ResultCodes.OK) {
      claim(caller().isIdentified() && chance.oneIn(4));
    } else if (claimed.length > 0) {
      Draft draft = commons.draft.modify(caller());
      for (Known task : claimed) {
        draft.delete(task, task.version, chance.oneIn(2));
      }
      draft.send(DELETE).tasks = claimed;
    } else if (call.tasks != null && result.code() == ResultCodes.OK) {
      commons.noteDeleted(call);
    }
  }
}
