package io.entroq.simulator.client;

import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.DocQuery;
import io.entroq.simulator.client.knowledge.DocWrites;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.NumberedTexts;
import io.entroq.simulator.client.knowledge.SetClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks docs in answers by a client's own requests. */
final class DocChecks {
  private final ClientContext context;

  DocChecks(ClientContext context) {
    this.context = context;
  }

  /**
   * Checks the docs and sets in the answer to a claim.
   *
   * @param sets receives the sets that were claimed, in the order of the request
   * @param docs receives their docs, as far as they were asked for
   */
  void claimed(Call call, ResultDecoder result, List<KnownDoc> sets, List<KnownDoc> docs) {
    boolean isOk = result.code() == ResultCodes.OK;
    for (int i = 0; i < result.setCount(); i++) {
      DocDecoder set = result.set(i);
      KnownDoc known = context.docContents.read(set, result.buffer(), false);
      requireHolder(call, set, known, isOk);
      if (isOk) {
        SetClaim claim = call.sets.get(i);
        requireWhole(claim.namespace() == known.namespace && claim.key() == known.key, known);
        requireLease(call, set, known);
      }
      sets.add(known);
      context.catalog.observeSet(known);
    }
    requireWhole(!isOk || sets.size() == call.sets.size(), call);
    members(call, result, sets, docs);
    if (!isOk) {
      sets.clear();
      docs.clear();
    }
  }

  private static void requireWhole(boolean fact, Object subject) {
    Invariant.CLAIMS_TAKE_WHOLE_SETS.require(
        fact, subject, "the sets that were asked for, with all their docs", "others");
  }

  private static void requireHolder(Call call, DocDecoder set, KnownDoc known, boolean isOk) {
    boolean isOwn =
        set.claimantHigh() == call.caller.high() && set.claimantLow() == call.caller.low();
    // A lease of no length is over at once.
    boolean isHeld = isOk && (call.matched != null || call.leaseMs > 0);
    Invariant.ONE_HOLDER.require(isOwn == isHeld, known, isOk ? "ours" : "another's", isOwn);
  }

  /** Until the given task is available, or exactly as long as was asked for. */
  private void requireLease(Call call, DocDecoder set, KnownDoc known) {
    boolean isKnown =
        call.matched == null
            || (call.matched.arrivalMs != 0 && call.caller.isIdentified() && !context.isQuiet());
    if (!isKnown) {
      // The task was named wrongly, or may have been lost or inserted again.
      return;
    }
    long expected = call.matched == null ? set.modifiedMs() + call.leaseMs : call.matched.arrivalMs;
    Invariant.DOCS_AS_THEY_STAND.require(
        set.arrivalMs() == expected, known, "held until " + expected, set.arrivalMs());
  }

  /** The docs come in the order of their sets, and show their set's state. */
  private void members(Call call, ResultDecoder result, List<KnownDoc> sets, List<KnownDoc> found) {
    boolean isOk = result.code() == ResultCodes.OK;
    int next = 0;
    for (int i = 0; i < sets.size(); i++) {
      KnownDoc set = sets.get(i);
      boolean isOmitted = isOk && call.sets.get(i).omitsMembers();
      List<KnownDoc> docs = new ArrayList<>();
      for (; next < result.docCount(); next++) {
        if (!isOk && result.doc(next).createdMs() == 0) {
          // A repeated refusal, and the doc has changed since.
          continue;
        }
        KnownDoc doc = context.docContents.read(result.doc(next), result.buffer(), isOk);
        if (!doc.isIn(set)) {
          break;
        }
        requireAfter(docs, doc);
        requireShown(doc, set);
        docs.add(doc);
        context.catalog.observe(doc);
      }
      found.addAll(docs);
      int count = result.set(i).docs();
      requireWhole(isOmitted ? docs.isEmpty() : !isOk || docs.size() == count, set);
    }
    requireWhole(next == result.docCount(), call);
  }

  private static void requireShown(KnownDoc doc, KnownDoc set) {
    boolean isEqual = doc.version == set.version && doc.arrivalMs == set.arrivalMs;
    Invariant.DOCS_AS_THEY_STAND.require(isEqual, doc, "the state of " + set, "another");
  }

  // Modifies.

  /** Checks the docs and sets that a Modify has written, and learns their new state. */
  void written(Call call, ResultDecoder result) {
    List<KnownDoc> expected = new ArrayList<>(call.docs.inserted);
    expected.addAll(call.docs.changed);
    Invariant.ALL_OR_NONE.require(
        expected.size() == result.docCount(), call, expected.size(), result.docCount());
    List<KnownDoc> shown = new ArrayList<>();
    for (int i = 0; i < result.docCount(); i++) {
      KnownDoc doc = context.docContents.read(result.doc(i), result.buffer(), false);
      if (result.doc(i).keyLength() == 0) {
        // A repeated answer, and the doc has changed since.
        doc.key = expected.get(i).key;
        doc.secondaryKey = expected.get(i).secondaryKey;
      }
      shown.add(doc);
      requireWritten(expected.get(i), doc, call.docs);
    }
    requireOneState(shown);
    call.docs.deleted.forEach(context.catalog::remove);
    for (int i = 0; i < shown.size(); i++) {
      learn(expected.get(i), shown.get(i));
    }
    for (KnownDoc deleted : call.docs.deleted) {
      KnownDoc set = KnownDoc.set(deleted.namespace, deleted.key, deleted.version + 1);
      context.catalog.observeSet(set);
    }
  }

  private void requireWritten(KnownDoc expected, KnownDoc shown, DocWrites writes) {
    boolean isSame = shown.idHigh == expected.idHigh && shown.idLow == expected.idLow;
    Invariant.ANSWERS_EXACT.require(isSame, expected, "in its place in the answer", shown);
    boolean isKnown =
        expected.isInsert || expected.isSet() || context.docContents.hasKeys(expected);
    Invariant.DOCS_AS_WRITTEN.require(
        !isKnown || shown.isIn(expected), expected, "with its key", shown.key);
    if (!expected.isInsert && !followsItsSet(expected, writes)) {
      Invariant.SET_VERSIONS_BY_ONE.require(
          shown.version == expected.version, expected, expected.version, shown.version);
    }
  }

  /** A doc that is known at version 0 is sent as one that leaves its version to its set. */
  private static boolean followsItsSet(KnownDoc doc, DocWrites writes) {
    return doc.version == 1
        && !doc.isSet()
        && Stream.concat(writes.changed.stream(), writes.depends.stream())
            .anyMatch(other -> other.isSet() && doc.isIn(other));
  }

  /** All docs of a set show its one new state. */
  private static void requireOneState(List<KnownDoc> shown) {
    for (KnownDoc doc : shown) {
      for (KnownDoc other : shown) {
        if (doc.isIn(other)) {
          requireShown(doc, other);
        }
      }
    }
  }

  private void learn(KnownDoc written, KnownDoc shown) {
    if (shown.isSet()) {
      context.catalog.observeSet(shown);
    } else {
      KnownDoc doc = written.copy();
      doc.key = shown.key;
      doc.secondaryKey = shown.secondaryKey;
      doc.version = shown.version;
      doc.arrivalMs = shown.arrivalMs;
      context.catalog.observe(doc);
    }
  }

  /** Learns why a Modify was refused. */
  void refused(Call call, ResultDecoder result) {
    for (int i = 0; i < result.failureCount(); i++) {
      FailureDecoder failure = result.failure(i);
      List<KnownDoc> items = call.docs.items(failure.itemKind());
      if (items.isEmpty()) {
        continue;
      }
      KnownDoc item = items.get(failure.index());
      boolean isInsert = failure.itemKind() == ItemKinds.DOC_INSERT;
      if (!isInsert && !item.isSet() && !failure.claimed() && failure.existingVersion() == 0) {
        context.catalog.remove(item);
      }
      if (!isInsert || failure.claimed()) {
        context.catalog.correctSet(
            KnownDoc.set(item.namespace, item.key, failure.existingVersion()));
      }
    }
  }

  /** Checks and returns the docs of a listing. */
  List<KnownDoc> listed(Call call, ResultDecoder result) {
    DocQuery query = call.query;
    List<KnownDoc> docs = new ArrayList<>();
    for (int i = 0; i < result.docCount(); i++) {
      DocDecoder doc = result.doc(i);
      KnownDoc known = context.docContents.read(doc, result.buffer(), !query.omitsValues());
      Invariant.DOCS_LISTED_ONCE.require(
          isRequested(query, known, docs.size()), known, "docs that were asked for", "another");
      if (query.ids().isEmpty()) {
        requireAfter(docs, known);
      }
      docs.add(known);
    }
    return docs;
  }

  private boolean isRequested(DocQuery query, KnownDoc doc, int before) {
    if (doc.namespace != query.namespace()) {
      return false;
    }
    if (!query.ids().isEmpty()) {
      return query.ids().stream().anyMatch(id -> id.idHigh == doc.idHigh && id.idLow == doc.idLow);
    }
    NumberedTexts keys = context.catalog.keys;
    return (query.limit() == 0 || before < query.limit())
        && (query.keyExact() == DocQuery.OPEN || doc.key == query.keyExact())
        && (query.keyStart() == DocQuery.OPEN || keys.compare(doc.key, query.keyStart()) >= 0)
        && (query.keyEnd() == DocQuery.OPEN
            || keys.bytes(query.keyEnd()).length == 0
            || keys.compare(doc.key, query.keyEnd()) < 0);
  }

  private void requireAfter(List<KnownDoc> before, KnownDoc doc) {
    if (before.isEmpty()) {
      return;
    }
    KnownDoc last = before.get(before.size() - 1);
    NumberedTexts keys = context.catalog.keys;
    int order = keys.compare(last.key, doc.key);
    if (order == 0) {
      order = keys.compare(last.secondaryKey, doc.secondaryKey);
    }
    if (order == 0) {
      order = Long.compareUnsigned(last.idHigh, doc.idHigh);
    }
    if (order == 0) {
      order = Long.compareUnsigned(last.idLow, doc.idLow);
    }
    Invariant.DOCS_IN_ORDER.require(order < 0, doc, "after " + last, "before it, or again");
  }
}
