package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Inserts, changes, deletes and depends on docs, and changes leases of sets and depends on them,
 * alone and together with tasks.
 */
final class DocWriter extends Actor {
  private static final int WRITE = 1;

  private static final int MANY = 60;
  private static final int MANY_ONE_IN = 25;

  /** The longest time for which a write holds its set. */
  private static final int HELD_MS_MAX = 20_000;

  private final List<KnownDoc> named = new ArrayList<>();

  /** The sets that the next request names, to be added as depends after the docs. */
  private final List<KnownDoc> dependedSets = new ArrayList<>();

  DocWriter(ClientContext context, SeededRandom random, int index, boolean isIdentified) {
    super(context, random, index, isIdentified, false);
  }

  @Override
  void act() {
    int namespace = DocCatalog.anyNamespace(random);
    named.clear();
    dependedSets.clear();
    RequestDraft draft = context.draft.modify(caller());
    if (random.oneIn(5)) {
      draft.insert(context.contents.fresh(random, caller(), QueueNames.anyStage(random)));
    }
    if (random.oneIn(25)) {
      repeatItem(draft, namespace);
      return;
    }
    if (random.oneIn(25)) {
      addFailures(draft, namespace);
      return;
    }
    int lacking = context.catalog.lacking(namespace);
    addInserts(draft, namespace, lacking);
    boolean isBare = named.isEmpty();
    if (isBare || random.oneIn(3)) {
      addChanges(draft, namespace);
    }
    if (random.oneIn(10)) {
      addLease(draft, namespace);
    }
    if (random.oneIn(lacking > 0 ? 8 : 2)) {
      addDeletes(draft, namespace, lacking);
    }
    if (random.oneIn(5)) {
      addDepends(draft, namespace);
    }
    dependedSets.forEach(draft::docDepend);
    draft.sendDocs(WRITE, Call.OK_OR_DEPENDENCY);
  }

  /** Names a doc, a place or a set twice. */
  private void repeatItem(RequestDraft draft, int namespace) {
    KnownDoc doc = context.docContents.fresh(random, namespace);
    KnownDoc other = context.docContents.fresh(random, namespace);
    KnownDoc set = anySet(namespace);
    switch (random.below(4)) {
      case 0 -> draft.docInsert(doc).docInsert(doc);
      case 1 -> {
        other.key = doc.key;
        other.secondaryKey = doc.secondaryKey;
        draft.docInsert(doc).docInsert(other);
      }
      case 2 -> draft.docDelete(doc).docDepend(doc);
      default -> draft.docLease(set, 1).docLease(set, 2);
    }
    draft.sendDocs(WRITE, Call.bit(ResultCodes.DUPLICATE_ITEM));
  }

  /** Names a task, a doc and a set that do not exist. The refusal must name all of them. */
  private void addFailures(RequestDraft draft, int namespace) {
    KnownTask task = context.contents.fresh(random, caller(), QueueNames.QUARANTINE);
    KnownDoc doc = context.docContents.fresh(random, namespace);
    KnownDoc set = anySet(namespace);
    set.version += 1_000_000;
    draft.delete(task, 0, true).docLease(set, 1).docDelete(doc);
    draft.sendDocs(WRITE, Call.bit(ResultCodes.DEPENDENCY));
  }

  private KnownDoc anySet(int namespace) {
    KnownDoc doc = context.catalog.any(random, namespace);
    boolean isKnown = doc != null && doc.key > 0 && !random.oneIn(6);
    return context.catalog.set(
        namespace, isKnown ? doc.key : DocCatalog.namedKey(random, namespace));
  }

  private void addInserts(RequestDraft draft, int namespace, int lacking) {
    if (lacking <= 0 || random.oneIn(3)) {
      return;
    }
    int most = random.oneIn(MANY_ONE_IN) ? MANY : 4;
    for (int i = 1 + random.below(Math.min(most, lacking)); i > 0; i--) {
      KnownDoc doc = context.docContents.fresh(random, namespace);
      drawHold(doc);
      if (isFirst(doc)) {
        draft.docInsert(doc);
      }
    }
  }

  /** No doc, place or set may be named twice. */
  private boolean isFirst(KnownDoc doc) {
    for (KnownDoc each : named) {
      boolean isSameDoc = !doc.isSet() && each.idHigh == doc.idHigh && each.idLow == doc.idLow;
      boolean isOnePlace = each.isIn(doc) && each.secondaryKey == doc.secondaryKey;
      if (isSameDoc || (isOnePlace && each.isSet() == doc.isSet())) {
        return false;
      }
    }
    named.add(doc);
    return true;
  }

  /** Some writes hold the set: until an instant, or for a duration, which may be negative. */
  private void drawHold(KnownDoc doc) {
    switch (random.below(9)) {
      case 0 -> doc.holdMs = context.logTime.nowMs() + random.between(1, HELD_MS_MAX);
      case 1, 2 -> doc.byMs = random.between(1, HELD_MS_MAX);
      case 3 -> doc.byMs = -random.between(1, 1_000);
      default -> {
        // Released at once.
      }
    }
  }

  private void addChanges(RequestDraft draft, int namespace) {
    for (int i = 1 + random.below(3); i > 0; i--) {
      KnownDoc doc = anyDoc(namespace);
      if (doc != null && isFirst(doc)) {
        KnownDoc content = context.docContents.rewritten(random, doc, 0, 0);
        drawHold(content);
        draft.docChange(doc, content, random.oneIn(4));
      }
    }
  }

  /** A known doc at the newest known version of its set. Some leave the version to the set. */
  private KnownDoc anyDoc(int namespace) {
    KnownDoc doc = context.catalog.any(random, namespace);
    if (doc == null) {
      return null;
    }
    KnownDoc current = context.catalog.current(doc);
    KnownDoc set = context.catalog.set(doc.namespace, doc.key);
    if (doc.key > 0 && random.oneIn(12) && isFirst(set)) {
      current.leavesVersion = true;
      dependedSets.add(set);
    }
    return current;
  }

  /** Mostly at the known version. */
  private void addLease(RequestDraft draft, int namespace) {
    KnownDoc set = anySet(namespace);
    if (isFirst(set)) {
      set.version += random.oneIn(10) ? 1 : 0;
      draft.docLease(set, random.between(-2, random.oneIn(2) ? 2 : HELD_MS_MAX));
    }
  }

  private void addDeletes(RequestDraft draft, int namespace, int lacking) {
    int most = random.oneIn(MANY_ONE_IN) ? MANY : 3;
    for (int i = 1 + random.below(Math.max(1, Math.min(most, -lacking))); i > 0; i--) {
      KnownDoc doc = anyDoc(namespace);
      if (doc != null && isFirst(doc)) {
        draft.docDelete(doc);
      }
    }
  }

  private void addDepends(RequestDraft draft, int namespace) {
    KnownDoc doc = random.oneIn(2) ? anySet(namespace) : context.catalog.any(random, namespace);
    if (doc != null && isFirst(doc)) {
      KnownDoc former = context.catalog.current(doc);
      former.version = Math.max(0, former.version - (random.oneIn(4) ? 1 : 0));
      draft.docDepend(former);
    }
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    // The answer has been checked, and the catalog knows it.
  }
}
