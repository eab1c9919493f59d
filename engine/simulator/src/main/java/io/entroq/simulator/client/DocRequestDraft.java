package io.entroq.simulator.client;

import io.entroq.codec.command.ClaimDocsEncoder;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ListDocsEncoder;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.DocQuery;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.NumberedTexts;
import io.entroq.simulator.client.knowledge.SetClaim;
import io.entroq.simulator.client.knowledge.TaskIds;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes and sends claims of docs and listings, with the real encoders. */
final class DocRequestDraft {
  private static final int CLAIM_ANSWERS = Call.OK_OR_DEPENDENCY | Call.bit(ResultCodes.CLAIM_LOST);

  /** Shorter than all names, and at a character boundary in each. */
  private static final int PREFIX_BYTES = 3;

  private final DocCatalog catalog;
  private final NumberedTexts queues;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1 << 12);
  private final ClaimDocsEncoder claim = new ClaimDocsEncoder();
  private final ListDocsEncoder docs = new ListDocsEncoder();
  private final ListNamespacesEncoder namespaces = new ListNamespacesEncoder();
  private final IdFields id = new IdFields();
  private final Slice text = new Slice();
  private final Slice keyText = new Slice();

  DocRequestDraft(DocCatalog catalog, NumberedTexts queues) {
    this.catalog = catalog;
    this.queues = queues;
  }

  /**
   * Claims sets.
   *
   * @param leaseMs 0 beside a task
   * @param task whose lease counts, or null
   */
  Call claim(Caller from, List<SetClaim> sets, long leaseMs, KnownTask task, int purpose) {
    claim.wrap(buffer, 0);
    if (from.isIdentified()) {
      claim.identity(from.high(), from.low(), from.nextNumber(), from.ackedBelow());
    }
    from.claimant(id);
    claim.claimant(id);
    for (SetClaim set : sets) {
      catalog.namespaces.text(set.namespace(), text);
      catalog.keys.text(set.key(), keyText);
      claim.set(text, keyText, set.omitsMembers());
    }
    claim.leaseMs(leaseMs);
    if (task != null) {
      id.clear();
      TaskIds.set(id, task.idHigh, task.idLow);
      queues.text(task.queue, text);
      claim.task(id, task.version, text);
    }
    Call call = from.open(RecordType.CLAIM_DOCS, bytes(claim.length()));
    call.leaseMs = leaseMs;
    call.sets = sets;
    call.matched = task;
    return send(call, null, purpose, CLAIM_ANSWERS);
  }

  Call list(Caller from, DocQuery query, int purpose) {
    docs.wrap(buffer, 0);
    catalog.namespaces.text(query.namespace(), text);
    docs.namespace(text);
    for (KnownDoc each : query.ids()) {
      id.clear();
      TaskIds.set(id, each.idHigh, each.idLow);
      docs.id(id);
    }
    if (query.keyStart() != DocQuery.OPEN) {
      catalog.keys.text(query.keyStart(), text);
      docs.keyStart(text);
    }
    if (query.keyEnd() != DocQuery.OPEN) {
      catalog.keys.text(query.keyEnd(), text);
      docs.keyEnd(text);
    }
    docs.limit(query.limit()).omitsValues(query.omitsValues());
    if (query.keyExact() != DocQuery.OPEN) {
      catalog.keys.text(query.keyExact(), text);
      docs.keyExact(text);
    }
    Call call = from.open(Request.LIST_DOCS, bytes(docs.length()));
    return send(call, query, purpose, Call.bit(ResultCodes.OK));
  }

  /**
   * Lists namespaces.
   *
   * @param exact number of the namespace to match by its name or its prefix
   * @param limit 0: none
   */
  Call listNamespaces(Caller from, int exact, boolean isPrefix, int limit, int purpose) {
    namespaces.wrap(buffer, 0);
    if (exact != DocQuery.OPEN) {
      catalog.namespaces.text(exact, text);
      if (isPrefix) {
        text.wrap(text.buffer(), 0, PREFIX_BYTES);
        namespaces.matchPrefix(text);
      } else {
        namespaces.matchExact(text);
      }
    }
    namespaces.limit(limit);
    Call call = from.open(Request.LIST_NAMESPACES, bytes(namespaces.length()));
    return send(call, null, purpose, Call.bit(ResultCodes.OK));
  }

  private static Call send(Call call, DocQuery query, int purpose, int allowed) {
    call.query = query;
    call.purpose = purpose;
    call.allowed = allowed;
    call.caller.send(call);
    return call;
  }

  private DirectBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(0, bytes);
    return new UnsafeBuffer(bytes);
  }
}
