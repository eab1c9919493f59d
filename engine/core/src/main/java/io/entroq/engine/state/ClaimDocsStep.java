package io.entroq.engine.state;

import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocPosition;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.KeyTree;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import org.agrona.collections.IntArrayList;

/**
 * Checks and executes a ClaimDocs (contract 2.8): it claims all docs of one key, ordered by
 * secondary key, or none. It never waits and is never revoked: a doc stays claimed until its lease
 * ends.
 */
final class ClaimDocsStep implements RetriedItems {
  /** An upper bound on the bytes of a doc beyond its texts and value. */
  private static final int FIXED_BYTES = 160;

  private final DocStore docs;
  private final NamespaceStore namespaces;
  private final KeyTree tree;
  private final Claimants claimants;
  private final DocTable table;
  private final Receipts receipts;
  private final ReplyWriter answers;
  private final ClaimDocsDecoder claim;
  private final DocPosition start = new DocPosition();

  /** The docs of the key, by secondary key. */
  private final IntArrayList found = new IntArrayList();

  ClaimDocsStep(
      Stores stores,
      ClaimDocsDecoder claim,
      DocTable table,
      Receipts receipts,
      ReplyWriter answers) {
    this.docs = stores.docs;
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
    if (claimants.conflicts(
        claim.claimantHigh(),
        claim.claimantLow(),
        claim.buffer(),
        claim.claimantTextOffset(),
        claim.claimantTextLength())) {
      return ResultCodes.KEY_COLLISION;
    }
    int namespace =
        namespaces.find(
            claim.buffer(), claim.set(0).namespaceOffset(), claim.set(0).namespaceLength());
    return namespace == Slab.NONE ? ResultCodes.EMPTY : find(namespace, nowMs);
  }

  private int find(int namespace, long nowMs) {
    boolean isHeld = false;
    boolean isUsedUp = false;
    start.before(claim.buffer(), claim.set(0).keyOffset(), claim.set(0).keyLength());
    long place = tree.seek(namespace, start);
    for (; isOfKey(place); place = tree.next(place)) {
      int doc = tree.doc(place);
      found.addInt(doc);
      isHeld |= isHeldByAnother(doc, nowMs);
      isUsedUp |= docs.version(doc) == Integer.MAX_VALUE;
    }
    if (isHeld) {
      return ResultCodes.DEPENDENCY;
    }
    if (isUsedUp) {
      return ResultCodes.VERSION_EXHAUSTED;
    }
    return found.isEmpty() ? ResultCodes.EMPTY : ResultCodes.OK;
  }

  private boolean isHeldByAnother(int doc, long nowMs) {
    return table.isHeldByAnother(doc, claim.claimantHigh(), claim.claimantLow(), nowMs);
  }

  private boolean isOfKey(long place) {
    return place != KeyTree.END
        && docs.compareKey(
                tree.doc(place), claim.buffer(), claim.set(0).keyOffset(), claim.set(0).keyLength())
            == 0;
  }

  /** Approximate bytes of a reply with all docs that the check found. */
  long foundBytes() {
    long each = FIXED_BYTES + claim.set(0).namespaceLength() + (long) claim.claimantTextLength();
    long bytes = 0;
    for (int i = 0; i < found.size(); i++) {
      bytes += each + docs.contentLength(found.getInt(i));
    }
    return bytes;
  }

  /** Adds the docs that others hold to the reply begun with the code of the check. */
  void explain(int code, long nowMs) {
    if (code != ResultCodes.DEPENDENCY) {
      return;
    }
    for (int i = 0; i < found.size(); i++) {
      if (isHeldByAnother(found.getInt(i), nowMs)) {
        answers.heldDoc(found.getInt(i));
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
      for (int i = 0; i < found.size(); i++) {
        lease(found.getInt(i), nowMs);
      }
    } else {
      explain(outcome, nowMs);
    }
    answers.end();
  }

  private void lease(int doc, long nowMs) {
    table.detach(doc);
    docs.version(doc, docs.version(doc) + 1);
    docs.arrivalMs(doc, ArrivalTime.saturatedSum(nowMs, claim.leaseMs()));
    docs.modifiedMs(doc, nowMs);
    table.claimant(
        doc,
        claim.claimantHigh(),
        claim.claimantLow(),
        claim.buffer(),
        claim.claimantTextOffset(),
        claim.claimantTextLength());
    table.attach(doc, nowMs);
    answers.claimedDoc(doc);
  }

  @Override
  public void namespace(int index, Bytes into) {
    into.set(claim.buffer(), claim.set(0).namespaceOffset(), claim.set(0).namespaceLength());
  }

  @Override
  public boolean isClaim() {
    return true;
  }
}
