package io.entroq.engine.state;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.KeyTree;
import io.entroq.engine.doc.LeaseIndex;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import org.agrona.DirectBuffer;

/**
 * Keeps docs, doc sets, their indexes and the digest consistent. To write to a set or to its docs:
 * {@link #create} or {@link #detach} the set, set its fields, add, change or remove docs, then
 * {@link #attach} it. Sets are attached in the order in which they were created or detached. After
 * the step, {@link #forgetUnused}.
 */
final class DocTable {

  /**
   * Beyond this many sets without docs, the least recently written that nobody holds are forgotten.
   * A set has to outlive its last doc for as long as a client may still name its version: minutes.
   * This many are enough for hundreds of emptied sets per second, and take 10 MB with short keys.
   */
  static final int UNUSED_SETS_MAX = 65_536;

  /** Unused sets considered for each set that a step writes: one more than it may add. */
  private static final int CONSIDERED_PER_WRITE = 2;

  private final DocStore docs;
  private final DocSetStore sets;
  private final NamespaceStore namespaces;
  private final KeyTree tree;
  private final LeaseIndex leases;
  private final Claimants claimants;
  private final Digest digest;
  private final Effects effects;
  private final int unusedMax;

  DocTable(Stores stores) {
    this(stores, UNUSED_SETS_MAX);
  }

  /** With another limit, from 2, for tests. */
  DocTable(Stores stores, int unusedMax) {
    this.docs = stores.docs;
    this.sets = stores.docSets;
    this.namespaces = stores.namespaces;
    this.tree = stores.keyTree;
    this.leases = stores.leases;
    this.claimants = stores.claimants;
    this.digest = stores.digest;
    this.effects = stores.effects;
    this.unusedMax = unusedMax;
  }

  // Sets.

  /** Adds a set at version 0 that nobody holds, detached. */
  int create(Bytes namespace, Bytes key, long sequence, long nowMs) {
    int owner = namespaces.findOrAdd(namespace.buffer(), namespace.offset(), namespace.length());
    int set = sets.add(owner, key.buffer(), key.offset(), key.length());
    sets.createdSequence(set, sequence);
    begin(set, nowMs);
    return set;
  }

  /**
   * Prepares a stored set for a write, which adds one to its version and releases it. A version
   * that is used up stays: then docs can only be deleted.
   */
  void detach(int set, long nowMs) {
    digest.remove(hashOfSet(set));
    leases.remove(set);
    sets.unlist(set);
    sets.version(set, Math.max(sets.version(set), sets.version(set) + 1));
    releaseClaimant(set);
    sets.claimant(set, 0, 0, false);
    begin(set, nowMs);
  }

  private void begin(int set, long nowMs) {
    sets.written(set);
    sets.arrivalMs(set, nowMs);
    sets.modifiedMs(set, nowMs);
  }

  /**
   * Holds a detached set for a claimant at least until a time in the future.
   *
   * @param length 0 if the key of the claimant determines its text
   */
  void hold(int set, long untilMs, long high, long low, DirectBuffer text, int offset, int length) {
    if (untilMs <= sets.arrivalMs(set)) {
      return;
    }
    sets.arrivalMs(set, untilMs);
    if (!sets.hasClaimant(set)) {
      if (length > 0) {
        claimants.acquire(high, low, text, offset, length);
      }
      sets.claimant(set, high, low, length > 0);
    }
  }

  /** Ends the write to a set. */
  void attach(int set, long nowMs) {
    digest.add(hashOfSet(set));
    leases.add(set, nowMs);
    effects.set(EffectKinds.SET_WRITTEN, set);
    if (sets.docCount(set) == 0) {
      sets.list(set);
    }
  }

  /**
   * Begins again with a detached set that has lost its last doc and whose version is used up, so
   * that its key can be used.
   */
  void restartUsedUp(int set, long sequence) {
    if (sets.version(set) == Integer.MAX_VALUE && sets.docCount(set) == 0) {
      sets.version(set, 0);
      sets.createdSequence(set, sequence);
    }
  }

  /**
   * Forgets some of the sets without docs that exceed the limit. One that is held becomes the most
   * recently written instead, so that each step considers few.
   *
   * @param writes number of sets that the step has attached
   */
  void forgetUnused(int writes, long nowMs) {
    for (int i = 0; i < CONSIDERED_PER_WRITE * writes && sets.listedCount() > unusedMax; i++) {
      int set = sets.oldestListed();
      Invariant.check(sets.docCount(set) == 0, "no set with docs is forgotten", set, unusedMax);
      digest.remove(hashOfSet(set));
      sets.unlist(set);
      if (isHeld(set, nowMs)) {
        sets.written(set);
        sets.list(set);
        digest.add(hashOfSet(set));
      } else {
        effects.set(EffectKinds.SET_FORGOTTEN, set);
        releaseClaimant(set);
        sets.remove(set);
      }
    }
  }

  private void releaseClaimant(int set) {
    if (sets.hasClaimantText(set)) {
      claimants.release(sets.claimantHigh(set), sets.claimantLow(set));
    }
  }

  private boolean isHeld(int set, long nowMs) {
    return sets.arrivalMs(set) > nowMs && sets.hasClaimant(set);
  }

  /** True if another claimant holds a set, which may be {@link Slab#NONE}. */
  boolean isHeldByAnother(int set, long high, long low, long nowMs) {
    return set != Slab.NONE
        && isHeld(set, nowMs)
        && (sets.claimantLow(set) != low || sets.claimantHigh(set) != high);
  }

  /** A hash of a set, its key and its namespace. */
  long hashOfSet(int set) {
    return Mix.fold(sets.fieldsHash(set), namespaces.nameHash(sets.namespace(set)));
  }

  // Docs of detached sets.

  /** Indexes a doc whose fields are set. */
  void inserted(int doc) {
    tree.add(doc);
    digest.add(hash(doc));
    effects.doc(EffectKinds.DOC_INSERTED, doc);
  }

  /** Prepares a doc for a change of its value. */
  void beginChange(int doc) {
    digest.remove(hash(doc));
  }

  void endChange(int doc) {
    digest.add(hash(doc));
    effects.doc(EffectKinds.DOC_CHANGED, doc);
  }

  void delete(int doc) {
    effects.doc(EffectKinds.DOC_DELETED, doc);
    digest.remove(hash(doc));
    tree.remove(doc);
    docs.remove(doc);
  }

  /** A hash of a doc, its content and its namespace. */
  long hash(int doc) {
    long hash = Mix.fold(docs.fieldsHash(doc), docs.contentHash(doc));
    return Mix.fold(hash, namespaces.nameHash(docs.namespace(doc)));
  }
}
