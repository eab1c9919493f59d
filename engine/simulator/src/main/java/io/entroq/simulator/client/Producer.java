package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Inserts tasks: one or many, for now or later, with new and used ids, into several queues at once.
 * It changes tasks that are not due yet, and depends on them.
 */
final class Producer extends Actor {
  private static final int OPEN_MAX = 4;
  private static final int LATER_MAX = 8;

  /** The latest arrival time of a task, from now. */
  static final long LATER_MS_MAX = 300_000;

  private static final int NARROW_TASKS_MAX = 20;
  private static final int POISON_ONE_IN = 3_000;

  private static final int ANY = 0;

  /** The inserted task is kept for later changes. */
  private static final int KEEP = 1;

  private final TaskContents contents;
  private final SeededRandom poison;
  private final KnownTask[] later = new KnownTask[LATER_MAX];
  private int laterCount;

  Producer(
      ClientContext context, SeededRandom random, int index, boolean isIdentified, boolean isV0) {
    super(context, random, index, isIdentified, isV0);
    contents = context.contents;
    poison = random.fork(FaultKind.POISON_TASK.label());
  }

  @Override
  boolean isIdle() {
    return caller().underWay() < (caller().isIdentified() ? OPEN_MAX : 1);
  }

  @Override
  void act() {
    int which = random.below(100);
    if (which < 50) {
      insert(1);
    } else if (which < 70) {
      insert(2 + random.below(random.oneIn(60) ? 100 : 6));
    } else if (which < 79) {
      insertForLater();
    } else if (which < 86) {
      insertUsedId();
    } else if (which < 95) {
      changeMind();
    } else if (which < 98) {
      insertIntoNarrowQueue();
    } else {
      context.draft.modify(caller()).send(ANY);
    }
  }

  private void insert(int count) {
    RequestDraft draft = context.draft.modify(caller());
    int queue = stage();
    boolean isScattered = random.oneIn(4);
    for (int i = 0; i < count; i++) {
      draft.insert(task(isScattered ? stage() : queue));
    }
    draft.send(ANY);
  }

  private KnownTask task(int queue) {
    KnownTask task = contents.fresh(random, caller(), queue);
    if (context.faults.isOn(FaultKind.POISON_TASK) && poison.oneIn(POISON_ONE_IN)) {
      TaskContents.poison(task);
    }
    return task;
  }

  private int stage() {
    return QueueNames.anyStage(random);
  }

  private void insertForLater() {
    KnownTask fresh = task(stage());
    long laterMs = laterMs();
    KnownTask task =
        random.oneIn(2)
            ? TaskContents.arriving(fresh, context.logTime.nowMs() + laterMs)
            : TaskContents.arrivingIn(fresh, laterMs);
    Call call = context.draft.modify(caller()).insert(task).send(KEEP);
    call.tasks = new KnownTask[] {task};
  }

  private long laterMs() {
    int which = random.below(20);
    if (which < 2) {
      return random.between(30_000, LATER_MS_MAX);
    }
    return random.between(1, which < 4 ? 5 : 30_000);
  }

  private void insertUsedId() {
    if (!caller().isIdentified()) {
      insert(1);
      return;
    }
    context.draft.modify(caller()).insert(contents.reused(random, stage())).send(ANY);
  }

  /** Inserts, changes, deletes and depends on tasks, as far as there are any. */
  private void changeMind() {
    RequestDraft draft = context.draft.modify(caller());
    for (int i = random.below(4); i > 0; i--) {
      draft.insert(task(stage()));
    }
    KnownTask changed = takeLater();
    KnownTask deleted = takeLater();
    KnownTask depended = takeLater();
    if (changed != null && changed.writtenArrivalMs == 0 && !caller().isV0()) {
      draft.lease(changed, random.oneIn(2) ? 0 : laterMs());
    } else if (changed != null) {
      long arrivalMs = context.logTime.nowMs() + laterMs();
      draft.change(changed, contents.rewritten(changed, stage(), arrivalMs, 0, 0));
    }
    if (deleted != null) {
      draft.delete(deleted, deleted.version, random.oneIn(2));
    }
    if (depended != null) {
      draft.depend(depended, random.oneIn(2));
    }
    draft.send(ANY);
  }

  private KnownTask takeLater() {
    return laterCount == 0 || random.oneIn(4) ? null : later[--laterCount];
  }

  private void insertIntoNarrowQueue() {
    int count = random.oneIn(5) ? 1 + random.below(NARROW_TASKS_MAX) : 1;
    RequestDraft draft = context.draft.modify(caller());
    for (int i = 0; i < count; i++) {
      draft.insert(task(QueueNames.NARROW));
    }
    int allowed = Call.OK_OR_DEPENDENCY | Call.bit(ResultCodes.QUEUE_FULL);
    draft.queueTasksMax(NARROW_TASKS_MAX).send(ANY, allowed);
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (call.purpose == KEEP && result.code() == ResultCodes.OK && laterCount < LATER_MAX) {
      later[laterCount++] = call.tasks[0];
    }
    if (call.isRetry && result.code() == ResultCodes.DEPENDENCY) {
      // The first request was executed after all.
      context.counters.assumed(call.inserts, call.deletes);
    }
  }

  @Override
  void onUnknown(Call call) {
    if (!call.isRetry) {
      caller().retry(call);
    }
  }
}
