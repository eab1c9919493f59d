package io.entroq.simulator.client;

import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.DocQuery;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.NumberedTexts;
import java.util.ArrayList;
import java.util.List;

/** Checks docs in answers by a client's own requests. */
final class DocChecks {
  private final ClientContext context;

  DocChecks(ClientContext context) {
    this.context = context;
  }

  /** Checks the docs in the answer to a claim, and returns those that were claimed. */
  List<KnownDoc> claimed(Call call, ResultDecoder result) {
    boolean isOk = result.code() == ResultCodes.OK;
    List<KnownDoc> docs = new ArrayList<>();
    for (int i = 0; i < result.docCount(); i++) {
      DocDecoder doc = result.doc(i);
      if (doc.createdMs() == 0) {
        // A repeated answer, and the doc has changed since.
        continue;
      }
      KnownDoc known = context.docContents.read(doc, result.buffer(), isOk);
      boolean isOwn =
          doc.claimantHigh() == call.caller.high() && doc.claimantLow() == call.caller.low();
      boolean isRequested =
          known.namespace == call.query.namespace() && known.key == call.query.keyStart();
      Invariant.CLAIMS_TAKE_WHOLE_KEYS.require(isRequested, known, "a doc of the key", "another");
      Invariant.ONE_HOLDER.require(isOwn == isOk, known, isOk ? "ours" : "another's", isOwn);
      long leaseMs = doc.arrivalMs() - doc.modifiedMs();
      Invariant.DOCS_AS_THEY_STAND.require(
          !isOk || leaseMs == call.leaseMs, known, call.leaseMs, leaseMs);
      requireAfter(docs, known);
      docs.add(known);
      context.catalog.observe(known);
    }
    boolean tellsDocs = isOk || result.code() == ResultCodes.DEPENDENCY;
    Invariant.CLAIMS_TAKE_WHOLE_KEYS.require(
        tellsDocs == result.docCount() > 0, call, "docs if there are any", "code " + result.code());
    return isOk ? docs : List.of();
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
