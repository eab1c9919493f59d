package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.client.knowledge.Values;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Breaks the rules on purpose and checks that it is refused: reuses request numbers, uses them too
 * late or too early, names a task twice, uses the ids and leases of others. It may take tasks back.
 */
final class RuleBreaker extends Actor {
  private static final int NOTHING_MORE = 0;
  private static final int FOREIGN = 1;
  private static final int FIRST_OF_NUMBER = 2;
  private static final int OWN = 3;
  private static final int IMPOSTOR = 4;
  private static final int TAKE_BACK = 5;

  /** Further ahead than the window, and than a client comes while a request is delayed. */
  private static final int FAR_AHEAD = 1_000_000;

  private static final long HOUR_MS = 3_600_000;
  private static final long THOUSAND_YEARS_MS = 31_536_000_000_000L;

  private long foreignUntilMs;
  private boolean isAiming;
  private KnownTask own;

  RuleBreaker(ClientContext context, SeededRandom random, int index) {
    super(context, random, index, true, false);
  }

  @Override
  void act() {
    boolean isKnown = caller().nextNumber() > 4;
    switch (isKnown ? random.below(10) : random.below(6)) {
      case 0 -> touchForeign();
      case 1 -> takeBack();
      case 2 -> repeatItem();
      case 3 -> overfill();
      case 4 -> insert();
      case 5 -> insertOwn();
      case 6 -> rogue(caller().low(), 1, 1, ResultCodes.IDENTITY_STALE);
      case 7 -> rogue(random.next(), 2, 1, ResultCodes.OUTCOME_UNKNOWN);
      case 8 -> rogueBeyondWindow();
      default -> cancelSomething();
    }
  }

  @Override
  boolean isAtRest() {
    return !isAiming && super.isAtRest();
  }

  /** Changes or deletes a task that another client holds, now or when the lease ends. */
  private void touchForeign() {
    KnownTask task = new KnownTask();
    foreignUntilMs = context.sightings.findLeased(random, context.logTime.nowMs(), task);
    if (foreignUntilMs == 0) {
      repeatItem();
    } else if (!random.oneIn(4) && aim(foreignUntilMs, () -> touch(task))) {
      isAiming = true;
    } else {
      touch(task);
    }
  }

  private void touch(KnownTask task) {
    isAiming = false;
    RequestDraft draft = context.draft.intrude(caller());
    int which = random.below(3);
    if (which == 0) {
      draft.delete(task, task.version, false);
    } else if (which == 1) {
      draft.lease(task, HOUR_MS);
    } else {
      task.valueLength = Values.HEADER_BYTES;
      draft.change(task, context.contents.rewritten(task, QueueNames.QUARANTINE, 0, 0, 0));
    }
    draft.send(FOREIGN);
  }

  /** Takes back a task that another client holds, now or when the lease ends. */
  private void takeBack() {
    KnownTask task = new KnownTask();
    long untilMs = context.sightings.findLeased(random, context.logTime.nowMs(), task);
    if (untilMs == 0) {
      repeatItem();
    } else if (random.oneIn(2) && aim(untilMs, () -> takeBack(task))) {
      isAiming = true;
    } else {
      takeBack(task);
    }
  }

  private void takeBack(KnownTask task) {
    isAiming = false;
    context.takesBack(task);
    Call call = context.draft.modify(caller()).takeBack(task).send(TAKE_BACK);
    call.tasks = new KnownTask[] {task};
  }

  /** Nobody can use the version any more that its holder knows. */
  private void onTakenBack(Call call, ResultDecoder result) {
    if (result.code() == ResultCodes.OK && !context.isQuiet()) {
      KnownTask taken = call.tasks[0];
      TaskDecoder now = result.changed(0);
      taken.version = now.version();
      taken.arrivalMs = now.arrivalMs();
      Invariant.ANSWERS_EXACT.require(
          now.arrivalMs() == now.modifiedMs(), taken, "available at once", now.arrivalMs());
      context.sightings.renewed(taken, now.modifiedMs(), call.serial);
    }
  }

  private void repeatItem() {
    KnownTask task = context.contents.fresh(random, caller(), QueueNames.QUARANTINE);
    RequestDraft draft = context.draft.modify(caller());
    switch (random.below(3)) {
      case 0 -> draft.insert(task).insert(task);
      case 1 -> draft.insert(task).delete(task, task.version, false);
      default -> draft.change(task, task).delete(task, task.version, false);
    }
    draft.send(NOTHING_MORE, Call.bit(ResultCodes.DUPLICATE_ITEM));
  }

  private void overfill() {
    int queue = QueueNames.LASTING + random.below(QueueNames.PASSING);
    RequestDraft draft = context.draft.modify(caller());
    for (int i = 0; i < 3; i++) {
      draft.insert(context.contents.fresh(random, caller(), queue));
    }
    draft.queueTasksMax(2).send(NOTHING_MORE, Call.bit(ResultCodes.NEVER_FITS));
  }

  /** Inserts a task with a number that is then reused. */
  private void insert() {
    KnownTask task = context.contents.fresh(random, caller(), QueueNames.QUARANTINE);
    context.draft.modify(caller()).insert(task).send(FIRST_OF_NUMBER);
  }

  /** Inserts a task that stays its own for an hour. */
  private void insertOwn() {
    KnownTask task = context.contents.freshWithText(random, caller(), QueueNames.QUARANTINE);
    own = TaskContents.arriving(task, context.logTime.nowMs() + HOUR_MS);
    context.draft.modify(caller()).insert(own).send(OWN);
  }

  private void rogueBeyondWindow() {
    long number = caller().ackedBelow() + FAR_AHEAD + random.below(1_000);
    rogue(caller().low(), number, caller().ackedBelow(), ResultCodes.IDENTITY_WINDOW);
  }

  private void rogue(long clientLow, long number, long ackedBelow, int code) {
    context
        .draft
        .rogue(caller(), clientLow, number, ackedBelow)
        .insert(context.contents.fresh(random, caller(), QueueNames.QUARANTINE))
        .send(NOTHING_MORE, Call.bit(code));
  }

  private void cancelSomething() {
    long number = random.between(1, caller().nextNumber() + 2);
    context.draft.cancel(caller(), number, NOTHING_MORE);
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    switch (call.purpose) {
      case FOREIGN -> requireRefused(call, result);
      case TAKE_BACK -> onTakenBack(call, result);
      case FIRST_OF_NUMBER ->
          rogue(caller().low(), call.number, call.number, ResultCodes.IDENTITY_REUSED);
      case OWN -> useOwn();
      case IMPOSTOR -> deleteOwn();
      default -> {
        // Already checked: only one answer was allowed.
      }
    }
  }

  @Override
  void onForgotten() {
    isAiming = false;
    super.onForgotten();
  }

  private void requireRefused(Call call, ResultDecoder result) {
    boolean isLive = result.logTimeMs() < foreignUntilMs;
    if (result.code() == ResultCodes.OK && isLive && !context.isQuiet()) {
      throw Invariant.ONE_LEASE.broken(call, "refused until " + foreignUntilMs, result.logTimeMs());
    }
  }

  /** Uses a wrong version or queue of its task, or an id that collides with it. */
  private void useOwn() {
    RequestDraft draft = context.draft.modify(caller());
    int which = random.below(3);
    if (which == 0) {
      draft.change(own, own.version + 1 + random.below(3), own);
      draft.send(IMPOSTOR, Call.bit(ResultCodes.DEPENDENCY));
    } else if (which == 1) {
      draft.deleteElsewhere(own, random.oneIn(2));
      draft.send(IMPOSTOR, Call.bit(ResultCodes.DEPENDENCY));
    } else {
      draft.insertWithoutText(impostor()).send(IMPOSTOR, Call.bit(ResultCodes.KEY_COLLISION));
    }
  }

  /**
   * Arrives so late that it is never claimed. If the colliding task is lost with the power, this
   * one is inserted, and clients would expect its id to have a text.
   */
  private KnownTask impostor() {
    KnownTask task = new KnownTask().copyId(own).copyContent(own);
    return TaskContents.arriving(task, own.arrivalMs + THOUSAND_YEARS_MS);
  }

  private void deleteOwn() {
    context
        .draft
        .modify(caller())
        .delete(own, own.version, true)
        .send(NOTHING_MORE, Call.OK_OR_DEPENDENCY);
  }
}
