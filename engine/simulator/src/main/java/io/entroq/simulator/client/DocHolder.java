package io.entroq.simulator.client;

import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.List;

/**
 * Claims all docs of a key and works on them: briefly, for long while it renews the claim, or until
 * the lease has ended. Then it writes some of them, releases them, or forgets them.
 */
final class DocHolder extends Actor {
  private static final int CLAIM = 1;
  private static final int RENEW = 2;
  private static final int COMMIT = 3;

  private static final long NS_PER_MS = 1_000_000;
  private static final long POSTPONED_MS = 200;
  private static final int DELETED_ONE_IN = 6;
  private static final int COMMITTED_MAX = 8;
  private static final int RENEWALS_MAX = 3;

  private List<KnownDoc> held = List.of();
  private long claimedNs;
  private long leaseMs;
  private long untilMs;
  private int renewals;
  private boolean isWorking;

  DocHolder(ClientContext context, SeededRandom random, int index, boolean isIdentified) {
    super(context, random, index, isIdentified, false);
  }

  @Override
  boolean isAtRest() {
    return !isWorking && super.isAtRest();
  }

  @Override
  void act() {
    int namespace = DocCatalog.anyNamespace(random);
    KnownDoc doc = context.catalog.any(random, namespace);
    boolean isKnown = doc != null && !random.oneIn(12);
    leaseMs = drawLeaseMs();
    renewals = 0;
    int key = isKnown ? doc.key : DocCatalog.anyKey(random, namespace);
    if (isKnown && doc.arrivalMs > context.logTime.nowMs() && random.oneIn(2)) {
      atTheEnd(doc.arrivalMs, () -> claim(namespace, key));
    }
    if (!isWorking) {
      claim(namespace, key);
    }
  }

  private void claim(int namespace, int key) {
    isWorking = false;
    context.docDraft.claim(caller(), namespace, key, leaseMs, CLAIM);
  }

  private long drawLeaseMs() {
    if (random.oneIn(50)) {
      return 0;
    }
    return random.oneIn(2) ? random.between(300, 3_000) : random.between(3_000, 30_000);
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (call.purpose == COMMIT) {
      onCommitted(call, result);
    } else {
      onClaimed(call, result);
    }
  }

  private void onClaimed(Call call, ResultDecoder result) {
    held = context.docChecks.claimed(call, result);
    isWorking = false;
    if (held.isEmpty()) {
      return;
    }
    claimedNs = call.firstSentNs;
    untilMs = held.get(0).arrivalMs;
    int which = random.below(100);
    if (which < 50) {
      after(random.between(1, 60), this::commit);
    } else if (which < 70 && renewals < RENEWALS_MAX) {
      after(leaseMs / 2, this::claimAgain);
    } else if (which < 85) {
      after(leaseMs + random.between(1, 3_000), this::commit);
    } else if (which < 92) {
      atTheEnd(untilMs, this::commit);
    }
  }

  /** Schedules an action unless the process has been replaced by then. */
  private void after(long delayMs, Runnable next) {
    isWorking = true;
    Caller now = caller();
    context.events.in(
        delayMs * NS_PER_MS,
        () -> {
          if (now == caller() && !now.isDead()) {
            next.run();
          }
        });
  }

  /** Schedules an action for the end of a lease. */
  private void atTheEnd(long endMs, Runnable next) {
    isWorking = aim(endMs, next);
  }

  private void claimAgain() {
    if (!caller().mayCall()) {
      after(POSTPONED_MS, this::claimAgain);
      return;
    }
    renewals++;
    KnownDoc doc = held.get(0);
    context.docDraft.claim(caller(), doc.namespace, doc.key, leaseMs, RENEW);
  }

  private void commit() {
    if (!caller().mayCall()) {
      after(POSTPONED_MS, this::commit);
      return;
    }
    RequestDraft draft = context.draft.modify(caller());
    int count = Math.min(held.size(), 1 + random.below(COMMITTED_MAX));
    int deleted = random.oneIn(DELETED_ONE_IN) ? 1 : 0;
    for (int i = deleted; i < count; i++) {
      long arrivalMs = random.oneIn(4) ? context.logTime.nowMs() + leaseMs : 0;
      KnownDoc content = context.docContents.rewritten(random, held.get(i), arrivalMs);
      draft.docChange(held.get(i), content, random.oneIn(2));
    }
    for (int i = 0; i < deleted; i++) {
      draft.docDelete(held.get(i));
    }
    draft.sendDocs(COMMIT, Call.OK_OR_DEPENDENCY);
  }

  private void onCommitted(Call call, ResultDecoder result) {
    isWorking = false;
    if (result.code() == ResultCodes.OK) {
      call.docs.done(context.catalog);
    } else {
      requireReason(call, result);
    }
  }

  /** Docs cannot be lost while their lease lasts. */
  private void requireReason(Call call, ResultDecoder result) {
    boolean isExcused =
        !caller().isIdentified()
            || result.code() != ResultCodes.DEPENDENCY
            || result.logTimeMs() >= untilMs
            || context.isQuiet()
            || context.mayBeLost(claimedNs);
    for (int i = 0; i < result.failureCount(); i++) {
      FailureDecoder failure = result.failure(i);
      boolean isChange = failure.itemKind() == ItemKinds.DOC_CHANGE;
      List<KnownDoc> docs = isChange ? call.docs.changed : call.docs.deleted;
      KnownDoc doc = docs.get(failure.index());
      Invariant.ONE_HOLDER.require(
          isExcused, doc, "held until " + untilMs, "lost at " + result.logTimeMs());
      context.catalog.remove(doc);
    }
  }

  @Override
  void onUnknown(Call call) {
    isWorking = false;
  }

  @Override
  void onForgotten() {
    isWorking = false;
    super.onForgotten();
  }
}
