package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Inserts, claims and deletes a task, then inserts and claims another one with the same id. Then it
 * repeats the first claim, as if the network had delayed it. The answer must not show the new task.
 */
final class IdReuser extends Actor {
  private static final int LEASE_MS = 1;

  /** The first claim's number is so far ahead that all the other requests have lower numbers. */
  private static final int AHEAD = 8;

  private static final int FIRST = 1;
  private static final int FIRST_CLAIM = 2;
  private static final int FIRST_GONE = 3;
  private static final int SECOND = 4;
  private static final int SECOND_CLAIM = 5;

  private KnownTask task;
  private Call firstClaim;

  IdReuser(ClientContext context, SeededRandom random, int index) {
    super(context, random, index, true, false);
  }

  @Override
  void act() {
    int queue = QueueNames.LASTING + random.below(QueueNames.PASSING);
    insert(context.contents.twin(random, queue), FIRST);
  }

  private void insert(KnownTask twin, int purpose) {
    task = twin;
    context.draft.modify(caller()).insert(task).send(purpose);
  }

  private ClaimTerms terms() {
    ClaimTerms terms = context.terms.clear();
    terms.queues.addInt(task.queue);
    terms.leaseMs = LEASE_MS;
    return terms;
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (result.code() != ResultCodes.OK) {
      end();
      return;
    }
    switch (call.purpose) {
      case FIRST -> claimFirst();
      case FIRST_CLAIM -> delete(claimed[0]);
      case FIRST_GONE -> insertSecond(call);
      case SECOND -> context.draft.claim(caller(), terms(), SECOND_CLAIM);
      default -> {
        firstClaim.caller.send(firstClaim);
        end();
      }
    }
  }

  private void claimFirst() {
    long number = caller().nextNumber() + AHEAD;
    firstClaim = context.draft.rogueClaim(caller(), number, terms(), FIRST_CLAIM);
  }

  private void delete(KnownTask claimed) {
    KnownTask[] deleted = {claimed};
    context.draft.modify(caller()).delete(claimed, claimed.version, false).send(FIRST_GONE).tasks =
        deleted;
  }

  private void insertSecond(Call deletion) {
    context.noteDeleted(deletion);
    insert(context.contents.twinOf(random, task), SECOND);
  }

  /** Its numbers are out of order now, so a new process starts. */
  private void end() {
    caller().die();
    renew();
    refresh();
  }
}
