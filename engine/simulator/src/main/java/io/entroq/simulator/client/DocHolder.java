package io.entroq.simulator.client;

import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.client.knowledge.SetClaim;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Claims doc sets, for a while or for as long as it holds a task, and works on them: briefly, for
 * long while it renews all leases, or until they have ended. Then it writes some docs, releases the
 * sets, or forgets them.
 */
final class DocHolder extends Actor {
  private static final int INSERT_TASK = 1;
  private static final int CLAIM = 2;
  private static final int LEASE = 3;
  private static final int COMMIT = 4;
  private static final int RELEASE = 5;

  private static final long NS_PER_MS = 1_000_000;
  private static final long POSTPONED_MS = 200;
  private static final int DELETED_ONE_IN = 6;
  private static final int COMMITTED_MAX = 8;
  private static final int RENEWALS_MAX = 3;
  private static final int SETS_MAX = 4;

  /** No task of a world gets so many. */
  private static final int VERSIONS_MAX = 1_000;

  private final List<KnownDoc> sets = new ArrayList<>();
  private final List<KnownDoc> docs = new ArrayList<>();
  private List<SetClaim> wanted = List.of();

  /** The task whose lease counts for the sets; null if they have a lease of their own. */
  private KnownTask task;

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

  // Claiming.

  @Override
  void act() {
    wanted = drawSets();
    leaseMs = drawLeaseMs();
    renewals = 0;
    task = null;
    sets.clear();
    docs.clear();
    if (leaseMs > 0 && random.oneIn(3)) {
      KnownTask fresh = context.contents.fresh(random, caller(), QueueNames.QUARANTINE);
      task = TaskContents.arrivingIn(fresh, leaseMs);
      context.draft.modify(caller()).insert(task).send(INSERT_TASK);
      return;
    }
    SetClaim first = wanted.get(0);
    long endMs = context.catalog.set(first.namespace(), first.key()).arrivalMs;
    if (endMs > context.logTime.nowMs() && random.oneIn(2)) {
      atTheEnd(endMs, this::claim);
    }
    if (!isWorking) {
      claim();
    }
  }

  /** Mostly sets that are known to have docs. */
  private List<SetClaim> drawSets() {
    List<SetClaim> drawn = new ArrayList<>();
    for (int i = random.oneIn(2) ? 1 : 1 + random.below(SETS_MAX); i > 0; i--) {
      int namespace = DocCatalog.anyNamespace(random);
      KnownDoc doc = context.catalog.any(random, namespace);
      boolean isKnown = doc != null && doc.key > 0 && !random.oneIn(8);
      int key = isKnown ? doc.key : DocCatalog.namedKey(random, namespace);
      boolean isNew =
          drawn.stream().noneMatch(each -> each.namespace() == namespace && each.key() == key);
      if (isNew) {
        drawn.add(new SetClaim(namespace, key, random.oneIn(5)));
      }
    }
    return drawn;
  }

  private long drawLeaseMs() {
    if (random.oneIn(50)) {
      return 0;
    }
    return random.oneIn(2) ? random.between(300, 3_000) : random.between(3_000, 30_000);
  }

  private void claim() {
    isWorking = false;
    if (!caller().mayCall()) {
      after(POSTPONED_MS, this::claim);
      return;
    }
    long ownMs = task == null ? leaseMs : 0;
    context.docDraft.claim(caller(), wanted, ownMs, matched(), CLAIM);
  }

  /** The task as the claim names it; sometimes wrongly, and then its lease is not known. */
  private KnownTask matched() {
    if (task == null || !random.oneIn(12)) {
      return task;
    }
    KnownTask wrong = new KnownTask().copyContent(task).copyId(task);
    if (random.oneIn(2)) {
      // Another client that claims the task must not make it right.
      wrong.version += VERSIONS_MAX;
    } else {
      wrong.queue = QueueNames.NARROW;
    }
    return wrong;
  }

  // Answers.

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    boolean isOk = result.code() == ResultCodes.OK;
    isWorking = false;
    if (call.purpose == CLAIM) {
      onClaimed(call, result);
    } else if (!isOk) {
      requireReason(call, result);
    } else if (call.purpose == INSERT_TASK) {
      onInserted(call, result);
    } else if (call.purpose == LEASE) {
      onLeased(result);
    }
  }

  private void onInserted(Call call, ResultDecoder result) {
    task.arrivalMs = result.inserted(0).arrivalMs();
    claimedNs = call.firstSentNs;
    if (random.oneIn(12)) {
      atTheEnd(task.arrivalMs, this::claim);
    }
    if (!isWorking) {
      claim();
    }
  }

  private void onClaimed(Call call, ResultDecoder result) {
    sets.clear();
    docs.clear();
    context.docChecks.claimed(call, result, sets, docs);
    if (sets.isEmpty()) {
      return;
    }
    claimedNs = call.firstSentNs;
    untilMs = sets.get(0).arrivalMs;
    goOn();
  }

  private void goOn() {
    int which = random.below(100);
    if (which < 40) {
      after(random.between(1, 60), this::commit);
    } else if (which < 70 && renewals < RENEWALS_MAX) {
      after(leaseMs / 2, task == null && random.oneIn(2) ? this::claimAgain : this::renewLeases);
    } else if (which < 78) {
      after(random.between(1, 60), this::release);
    } else if (which < 88) {
      after(leaseMs + random.between(1, 3_000), this::commit);
    } else if (which < 95) {
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

  // Leases.

  private void claimAgain() {
    if (!caller().mayCall()) {
      after(POSTPONED_MS, this::claimAgain);
      return;
    }
    renewals++;
    context.docDraft.claim(caller(), wanted, leaseMs, null, CLAIM);
  }

  /** Renews the leases of the task and of all sets in one step, as workers do. */
  private void renewLeases() {
    if (!caller().mayCall()) {
      after(POSTPONED_MS, this::renewLeases);
      return;
    }
    renewals++;
    lease(leaseMs, LEASE);
  }

  /** Gives the task and the sets back. */
  private void release() {
    if (!caller().mayCall()) {
      after(POSTPONED_MS, this::release);
      return;
    }
    lease(random.oneIn(2) ? 0 : -random.between(1, 1_000), RELEASE);
  }

  private void lease(long byMs, int purpose) {
    RequestDraft draft = context.draft.modify(caller());
    if (task != null) {
      draft.lease(task, byMs);
    }
    for (KnownDoc set : sets) {
      draft.docLease(set, byMs);
    }
    draft.sendDocs(purpose, Call.OK_OR_DEPENDENCY);
  }

  /** A lease lasts exactly as long as was asked for, by the clock of the log. */
  private void onLeased(ResultDecoder result) {
    untilMs = Long.MAX_VALUE;
    if (task != null) {
      TaskDecoder changed = result.changed(0);
      requireGranted(task, changed.arrivalMs() - changed.modifiedMs());
      task.version = changed.version();
      task.arrivalMs = changed.arrivalMs();
      untilMs = task.arrivalMs;
    }
    for (int i = 0; i < sets.size(); i++) {
      DocDecoder changed = result.doc(i);
      KnownDoc set = sets.get(i);
      requireGranted(set, changed.arrivalMs() - changed.modifiedMs());
      set.version = changed.version();
      set.arrivalMs = changed.arrivalMs();
      untilMs = Math.min(untilMs, set.arrivalMs);
    }
    for (KnownDoc doc : docs) {
      doc.version = setOf(doc).version;
    }
    goOn();
  }

  private void requireGranted(Object what, long grantedMs) {
    Invariant.ANSWERS_EXACT.require(grantedMs == leaseMs, what, leaseMs + " ms", grantedMs);
  }

  private KnownDoc setOf(KnownDoc doc) {
    return sets.stream().filter(doc::isIn).findFirst().orElseThrow();
  }

  // Committing.

  private void commit() {
    if (!caller().mayCall()) {
      after(POSTPONED_MS, this::commit);
      return;
    }
    RequestDraft draft = context.draft.modify(caller());
    if (task != null) {
      draft.delete(task, task.version, true);
    }
    KnownDoc named = random.oneIn(4) ? sets.get(random.below(sets.size())) : null;
    boolean isLeased = named != null && random.oneIn(2);
    if (docs.isEmpty() || random.oneIn(5)) {
      insert(draft, sets.get(random.below(sets.size())));
    }
    int count = Math.min(docs.size(), 1 + random.below(COMMITTED_MAX));
    int deleted = count > 0 && random.oneIn(DELETED_ONE_IN) ? 1 : 0;
    for (int i = deleted; i < count; i++) {
      KnownDoc doc = versioned(docs.get(i), named);
      long byMs = random.oneIn(4) ? leaseMs : 0;
      draft.docChange(doc, context.docContents.rewritten(random, doc, 0, byMs), random.oneIn(4));
    }
    if (isLeased) {
      draft.docLease(named, random.oneIn(2) ? leaseMs : 0);
    }
    for (int i = 0; i < deleted; i++) {
      draft.docDelete(versioned(docs.get(i), named));
    }
    if (named != null && !isLeased) {
      draft.docDepend(named);
    }
    draft.sendDocs(COMMIT, Call.OK_OR_DEPENDENCY);
  }

  private void insert(RequestDraft draft, KnownDoc set) {
    KnownDoc doc = context.docContents.fresh(random, set.namespace);
    doc.key = set.key;
    boolean isNamed =
        docs.stream().anyMatch(held -> held.idHigh == doc.idHigh && held.idLow == doc.idLow);
    if (!isNamed) {
      draft.docInsert(doc);
    }
  }

  /** The doc, without a version if the commit names the version of its set anyway. */
  private static KnownDoc versioned(KnownDoc doc, KnownDoc named) {
    KnownDoc versioned = doc.copy();
    versioned.leavesVersion = named != null && doc.isIn(named);
    return versioned;
  }

  /** Sets cannot be lost while their leases last. */
  private void requireReason(Call call, ResultDecoder result) {
    boolean isExcused =
        call.purpose == INSERT_TASK
            || !caller().isIdentified()
            || result.code() != ResultCodes.DEPENDENCY
            || result.logTimeMs() >= untilMs
            || context.isQuiet()
            || context.mayBeLost(claimedNs);
    for (int i = 0; i < result.failureCount(); i++) {
      FailureDecoder failure = result.failure(i);
      if (failure.itemKind() != ItemKinds.DOC_INSERT || failure.claimed()) {
        Object what =
            failure.itemKind() < ItemKinds.DOC_INSERT
                ? task
                : call.docs.items(failure.itemKind()).get(failure.index());
        Invariant.ONE_HOLDER.require(
            isExcused, what, "held until " + untilMs, "lost at " + result.logTimeMs());
      }
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
