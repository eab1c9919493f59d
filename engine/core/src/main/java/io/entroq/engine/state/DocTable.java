package io.entroq.engine.state;

import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.KeyTree;
import io.entroq.engine.doc.LeaseIndex;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.task.Claimants;
import org.agrona.DirectBuffer;

/**
 * Keeps docs, their indexes and the digest consistent. To change a doc: {@link #detach} it, set its
 * fields, {@link #attach} it. To change its keys, also take it {@link #outOfOrder} and put it back
 * {@link #intoOrder}.
 */
final class DocTable {

  private final DocStore docs;
  private final NamespaceStore namespaces;
  private final KeyTree tree;
  private final LeaseIndex leases;
  private final Claimants claimants;
  private final Digest digest;

  DocTable(Stores stores) {
    this.docs = stores.docs;
    this.namespaces = stores.namespaces;
    this.tree = stores.keyTree;
    this.leases = stores.leases;
    this.claimants = stores.claimants;
    this.digest = stores.digest;
  }

  /** Prepares a doc for changes to its fields, except its keys. */
  void detach(int doc) {
    digest.remove(hash(doc));
    leases.remove(doc);
  }

  /** Ends the changes to a detached doc. */
  void attach(int doc, long nowMs) {
    digest.add(hash(doc));
    leases.add(doc, nowMs);
  }

  /** Prepares a detached doc for changes to its keys. */
  void outOfOrder(int doc) {
    tree.remove(doc);
  }

  /** Ends the changes to the keys of a detached doc. */
  void intoOrder(int doc) {
    tree.add(doc);
  }

  /** Removes a doc, and its namespace with the last one. */
  void delete(int doc) {
    detach(doc);
    tree.remove(doc);
    releaseClaimant(doc);
    docs.remove(doc);
  }

  /** Sets the claimant of a detached doc; the text is empty if the key determines it. */
  void claimant(int doc, long high, long low, DirectBuffer text, int offset, int length) {
    if (length > 0) {
      claimants.acquire(high, low, text, offset, length);
    }
    releaseClaimant(doc);
    docs.claimant(doc, high, low, length > 0);
  }

  /** Clears the claimant of a detached doc. */
  void noClaimant(int doc) {
    releaseClaimant(doc);
    docs.claimant(doc, 0, 0, false);
  }

  private void releaseClaimant(int doc) {
    if (docs.hasClaimantText(doc)) {
      claimants.release(docs.claimantHigh(doc), docs.claimantLow(doc));
    }
  }

  /** True if another claimant holds the doc. */
  boolean isHeldByAnother(int doc, long high, long low, long nowMs) {
    return docs.arrivalMs(doc) > nowMs
        && docs.hasClaimant(doc)
        && (docs.claimantLow(doc) != low || docs.claimantHigh(doc) != high);
  }

  /** A hash of a doc, its content and its namespace. */
  long hash(int doc) {
    long hash = Mix.fold(docs.fieldsHash(doc), docs.contentHash(doc));
    return Mix.fold(hash, namespaces.nameHash(docs.namespace(doc)));
  }
}
