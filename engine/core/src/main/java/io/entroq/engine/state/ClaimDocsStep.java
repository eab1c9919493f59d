package io.entroq.engine.state;

import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.DocSetDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.KeyTree;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.KeySet;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.receipt.DocFlyweight;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.TaskStore;
import org.agrona.collections.IntArrayList;

/**
 * Checks and executes a ClaimDocs (contract 2.8): it claims all sets that it names, with or without
 * docs, or none. It never waits and is never revoked: a set stays claimed until its lease ends.
 */
final class ClaimDocsStep implements RetriedItems {
  /**
   * An upper bound on the bytes of a doc or set beyond its texts and value. Changes only with the
   * behavior level: members of a cluster refuse the same claims after they are ordered.
   */
  private static final int FIXED_BYTES = 160;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final DocStore docs;
  private final DocSetStore sets;
  private final NamespaceStore namespaces;
  private final KeyTree tree;
  private final Claimants claimants;
  private final DocTable table;
  private final Receipts receipts;
  private final ReplyWriter answers;
  private final ClaimDocsDecoder claim;
  private final KeySet named = new KeySet();
  private final FailedItem failedTask = new FailedItem();
  private final Bytes namespace = new Bytes();
  private final Bytes key = new Bytes();
  private final Bytes idText = new Bytes();

  /** The stored set of each one that the claim names, or {@link Slab#NONE}. */
  private final IntArrayList found = new IntArrayList();

  /** Whether the task of the claim, if it has one, is not as the claim says. */
  private boolean isTaskMissing;

  private long leaseEndMs;

  ClaimDocsStep(
      Stores stores,
      ClaimDocsDecoder claim,
      DocTable table,
      Receipts receipts,
      ReplyWriter answers) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.docs = stores.docs;
    this.sets = stores.docSets;
    this.namespaces = stores.namespaces;
    this.tree = stores.keyTree;
    this.claimants = stores.claimants;
    this.claim = claim;
    this.table = table;
    this.receipts = receipts;
    this.answers = answers;
  }

  /** Returns the result code; changes nothing. */
  int check(long nowMs) {
    found.clear();
    named.clear();
    if (claimants.conflicts(
        claim.claimantHigh(),
        claim.claimantLow(),
        claim.buffer(),
        claim.claimantTextOffset(),
        claim.claimantTextLength())) {
      return ResultCodes.KEY_COLLISION;
    }
    checkTask(nowMs);
    return checkSets(nowMs);
  }

  /** The sets are held exactly until the arrival time of the task. */
  private void checkTask(long nowMs) {
    isTaskMissing = false;
    leaseEndMs = ArrivalTime.saturatedSum(nowMs, claim.leaseMs());
    if (claim.hasTask()) {
      int task = tasks.find(claim.taskIdHigh(), claim.taskIdLow());
      isTaskMissing = task == Slab.NONE || !isMeant(task) || tasks.arrivalMs(task) <= nowMs;
      leaseEndMs = isTaskMissing ? nowMs : tasks.arrivalMs(task);
    }
  }

  private boolean isMeant(int task) {
    tasks.idText(task, idText);
    return tasks.version(task) == claim.taskVersion()
        && idText.matches(claim.buffer(), claim.taskIdTextOffset(), claim.taskIdTextLength())
        && queues.isNamed(
            tasks.queue(task), claim.buffer(), claim.taskQueueOffset(), claim.taskQueueLength());
  }

  private int checkSets(long nowMs) {
    boolean isHeld = false;
    boolean isUsedUp = false;
    boolean isTwice = false;
    for (int i = 0; i < claim.setCount(); i++) {
      DocSetDecoder item = claim.set(i);
      long name = Mix.bytes(claim.buffer(), item.namespaceOffset(), item.namespaceLength());
      isTwice |= !named.add(name, Mix.bytes(claim.buffer(), item.keyOffset(), item.keyLength()));
      int set = find(item);
      found.addInt(set);
      isHeld |= isHeldByAnother(set, nowMs);
      isUsedUp |= set != Slab.NONE && sets.version(set) == Integer.MAX_VALUE;
    }
    if (isTwice) {
      return ResultCodes.DUPLICATE_ITEM;
    }
    if (isHeld || isTaskMissing) {
      return ResultCodes.DEPENDENCY;
    }
    return isUsedUp ? ResultCodes.VERSION_EXHAUSTED : ResultCodes.OK;
  }

  private int find(DocSetDecoder item) {
    int owner = namespaces.find(claim.buffer(), item.namespaceOffset(), item.namespaceLength());
    return sets.find(owner, claim.buffer(), item.keyOffset(), item.keyLength());
  }

  private boolean isHeldByAnother(int set, long nowMs) {
    return table.isHeldByAnother(set, claim.claimantHigh(), claim.claimantLow(), nowMs);
  }

  /** Approximate bytes of the sets and docs of a reply with the code of the check. */
  long replyBytes(int code, long nowMs) {
    boolean isClaimed = code == ResultCodes.OK;
    long bytes = 0;
    for (int i = 0; i < found.size(); i++) {
      DocSetDecoder item = claim.set(i);
      int set = found.getInt(i);
      if (isClaimed || isHeldByAnother(set, nowMs)) {
        long each = FIXED_BYTES + item.namespaceLength() + (long) claim.claimantTextLength();
        bytes += each + item.keyLength();
        if (set != Slab.NONE && !(isClaimed && item.omitsMembers())) {
          bytes += docsBytes(set, each, isClaimed);
        }
      }
    }
    return bytes;
  }

  private long docsBytes(int set, long each, boolean withValues) {
    long bytes = 0;
    int left = sets.docCount(set);
    for (long place = first(set); left > 0; left--, place = tree.next(place)) {
      int doc = tree.doc(place);
      bytes += each + (withValues ? docs.contentLength(doc) : docs.textLength(doc));
    }
    return bytes;
  }

  private long first(int set) {
    return sets.docCount(set) == 0 ? KeyTree.END : tree.firstOf(set);
  }

  /**
   * Adds the task that is missing and the sets that others hold to the reply begun with the code of
   * the check.
   */
  void explain(int code, long nowMs) {
    if (code != ResultCodes.DEPENDENCY) {
      return;
    }
    if (isTaskMissing) {
      answers.showFailure(failedTask.begin(ItemKinds.TASK, 0, false));
    }
    for (int i = 0; i < found.size(); i++) {
      if (isHeldByAnother(found.getInt(i), nowMs)) {
        answerDocs(found.getInt(i), i, false);
      }
    }
    for (int i = 0; i < found.size(); i++) {
      if (isHeldByAnother(found.getInt(i), nowMs)) {
        answers.heldSet(found.getInt(i), i);
      }
    }
    if (isTaskMissing) {
      answers.keepFailure(failedTask);
    }
  }

  private void answerDocs(int set, int setIndex, boolean areClaimed) {
    int left = sets.docCount(set);
    for (long place = first(set); left > 0; left--, place = tree.next(place)) {
      int doc = tree.doc(place);
      Invariant.check(docs.set(doc) == set, "docs of a set follow each other", doc, set);
      if (areClaimed) {
        answers.claimedDoc(doc);
      } else {
        answers.heldDoc(doc, setIndex);
      }
    }
  }

  /** Claims or refuses; the request has no identity. */
  void execute(int outcome, long nowMs) {
    answers.begin(answers.stepSequence(), outcome);
    finish(outcome, nowMs);
  }

  /** Claims or refuses; the client was admitted. */
  void execute(int outcome, int client, long nowMs) {
    answers.beginWithReceipt(answers.stepSequence(), outcome);
    finish(outcome, nowMs);
    receipts.store(client, claim.requestNumber());
  }

  private void finish(int outcome, long nowMs) {
    if (outcome == ResultCodes.OK) {
      claim(nowMs);
    } else {
      explain(outcome, nowMs);
    }
    answers.end();
  }

  private void claim(long nowMs) {
    for (int i = 0; i < found.size(); i++) {
      found.setInt(i, lease(claim.set(i), found.getInt(i), nowMs));
    }
    for (int i = 0; i < found.size(); i++) {
      if (!claim.set(i).omitsMembers()) {
        answerDocs(found.getInt(i), i, true);
      }
    }
    for (int i = 0; i < found.size(); i++) {
      answers.claimedSet(found.getInt(i), i);
    }
    table.forgetUnused(found.size(), nowMs);
  }

  private int lease(DocSetDecoder item, int stored, long nowMs) {
    int set = stored;
    if (set == Slab.NONE) {
      name(item);
      set = table.create(namespace, key, answers.stepSequence(), nowMs);
      // A claim is a write to the set, which is at version 0 before.
      sets.version(set, 1);
    } else {
      table.detach(set, nowMs);
    }
    table.hold(
        set,
        leaseEndMs,
        claim.claimantHigh(),
        claim.claimantLow(),
        claim.buffer(),
        claim.claimantTextOffset(),
        claim.claimantTextLength());
    table.attach(set, nowMs);
    return set;
  }

  private void name(DocSetDecoder item) {
    namespace.set(claim.buffer(), item.namespaceOffset(), item.namespaceLength());
    key.set(claim.buffer(), item.keyOffset(), item.keyLength());
  }

  // Requests that come again.

  @Override
  public boolean isClaimDocs() {
    return true;
  }

  @Override
  public boolean areDocsLost(Receipt receipt) {
    receipt.rewindToDocs();
    for (int i = 0; i < receipt.docCount(); i++) {
      if (!receipt.isUnchanged(sets, find(claim.set(receipt.setIndex())))) {
        return true;
      }
      receipt.nextDoc();
    }
    return false;
  }

  /** Repeats a success, whose sets are unchanged, or a refusal. */
  @Override
  public void repeatDocs(Receipt receipt) {
    boolean areClaimed = receipt.code() == ResultCodes.OK;
    receipt.rewindToDocs();
    for (int i = 0; i < receipt.docCount(); i++) {
      int setIndex = receipt.setIndex();
      if (!receipt.isSet()) {
        repeatHeldDoc(receipt);
      } else if (areClaimed && !claim.set(setIndex).omitsMembers()) {
        answerDocs(find(claim.set(setIndex)), setIndex, true);
      }
      receipt.nextDoc();
    }
    receipt.rewindToDocs();
    for (int i = 0; i < receipt.docCount(); i++) {
      if (receipt.isSet()) {
        repeatSet(receipt);
      }
      receipt.nextDoc();
    }
  }

  private void repeatSet(Receipt receipt) {
    DocSetDecoder item = claim.set(receipt.setIndex());
    int set = find(item);
    DocFlyweight view = answers.docView();
    if (receipt.isUnchanged(sets, set)) {
      view.wrapSet(set);
    } else {
      name(item);
      view.wrapReceipt(receipt, namespace, key);
    }
    answers.sink().onSet(view);
  }

  /** Leaves out a doc that has been deleted since. */
  private void repeatHeldDoc(Receipt receipt) {
    name(claim.set(receipt.setIndex()));
    int owner = namespaces.find(namespace.buffer(), namespace.offset(), namespace.length());
    int doc = receipt.find(docs, owner);
    if (doc == Slab.NONE) {
      return;
    }
    DocFlyweight view = answers.docView();
    if (sets.version(docs.set(doc)) == receipt.version()) {
      view.wrap(doc, false);
    } else {
      view.wrapReceipt(receipt, namespace, key).identified(doc);
    }
    answers.sink().onDoc(view);
  }
}
