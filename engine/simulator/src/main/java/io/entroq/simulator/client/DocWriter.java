package io.entroq.simulator.client;

import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.DocWrites;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** Inserts, changes, deletes and depends on docs, alone and together with tasks. */
final class DocWriter extends Actor {
  private static final int WRITE = 1;

  private static final int MANY = 60;
  private static final int MANY_ONE_IN = 25;

  /** The longest time for which a change holds its doc. */
  private static final int HELD_MS_MAX = 20_000;

  private final List<KnownDoc> named = new ArrayList<>();

  DocWriter(ClientContext context, SeededRandom random, int index, boolean isIdentified) {
    super(context, random, index, isIdentified, false);
  }

  @Override
  void act() {
    int namespace = DocCatalog.anyNamespace(random);
    named.clear();
    RequestDraft draft = context.draft.modify(caller());
    if (random.oneIn(5)) {
      draft.insert(context.contents.fresh(random, caller(), QueueNames.anyStage(random)));
    }
    if (random.oneIn(100)) {
      repeatItem(draft, namespace);
      return;
    }
    int lacking = context.catalog.lacking(namespace);
    addInserts(draft, namespace, lacking);
    boolean isBare = named.isEmpty();
    if (isBare || random.oneIn(3)) {
      addChanges(draft, namespace);
    }
    if (random.oneIn(lacking > 0 ? 8 : 2)) {
      addDeletes(draft, namespace, lacking);
    }
    if (random.oneIn(5)) {
      addDepends(draft, namespace);
    }
    draft.sendDocs(WRITE, Call.OK_OR_DEPENDENCY);
  }

  /** Names a doc twice. */
  private void repeatItem(RequestDraft draft, int namespace) {
    KnownDoc doc = context.docContents.fresh(random, namespace);
    if (random.oneIn(2)) {
      draft.docInsert(doc).docInsert(doc);
    } else {
      draft.docDelete(doc).docDepend(doc);
    }
    draft.sendDocs(WRITE, Call.bit(ResultCodes.DUPLICATE_ITEM));
  }

  private void addInserts(RequestDraft draft, int namespace, int lacking) {
    if (lacking <= 0 || random.oneIn(3)) {
      return;
    }
    int most = random.oneIn(MANY_ONE_IN) ? MANY : 4;
    for (int i = 1 + random.below(Math.min(most, lacking)); i > 0; i--) {
      KnownDoc doc = context.docContents.fresh(random, namespace);
      if (isFirst(doc)) {
        draft.docInsert(doc);
      }
    }
  }

  /** No doc may be named twice. */
  private boolean isFirst(KnownDoc doc) {
    for (KnownDoc each : named) {
      if (each.idHigh == doc.idHigh && each.idLow == doc.idLow) {
        return false;
      }
    }
    named.add(doc);
    return true;
  }

  private void addChanges(RequestDraft draft, int namespace) {
    for (int i = 1 + random.below(3); i > 0; i--) {
      KnownDoc doc = context.catalog.any(random, namespace);
      if (doc != null && isFirst(doc)) {
        long arrivalMs =
            random.oneIn(3) ? context.logTime.nowMs() + random.between(1, HELD_MS_MAX) : 0;
        KnownDoc content = context.docContents.rewritten(random, doc, arrivalMs);
        draft.docChange(doc, content, random.oneIn(2));
      }
    }
  }

  private void addDeletes(RequestDraft draft, int namespace, int lacking) {
    int most = random.oneIn(MANY_ONE_IN) ? MANY : 3;
    for (int i = 1 + random.below(Math.max(1, Math.min(most, -lacking))); i > 0; i--) {
      KnownDoc doc = context.catalog.any(random, namespace);
      if (doc != null && isFirst(doc)) {
        draft.docDelete(doc);
      }
    }
  }

  private void addDepends(RequestDraft draft, int namespace) {
    KnownDoc doc = context.catalog.any(random, namespace);
    if (doc != null && isFirst(doc)) {
      KnownDoc former = doc.copy();
      former.version -= random.oneIn(4) ? 1 : 0;
      draft.docDepend(former);
    }
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    DocWrites writes = call.docs;
    if (result.code() == ResultCodes.OK) {
      writes.done(context.catalog);
    } else if (result.code() == ResultCodes.DEPENDENCY) {
      forgetStale(writes, result);
    }
  }

  /** Forgets docs that are not as expected. */
  private void forgetStale(DocWrites writes, ResultDecoder result) {
    for (int i = 0; i < result.failureCount(); i++) {
      FailureDecoder failure = result.failure(i);
      if (!failure.claimed()) {
        switch (failure.itemKind()) {
          case ItemKinds.DOC_CHANGE -> context.catalog.remove(writes.changed.get(failure.index()));
          case ItemKinds.DOC_DELETE -> context.catalog.remove(writes.deleted.get(failure.index()));
          default -> {
            // Inserts of used ids and dependencies on old versions are meant to fail.
          }
        }
      }
    }
  }
}
