package io.entroq.simulator.client;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.DocQuery;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** Lists docs by their keys and by their ids, all of them or some, and namespaces. */
final class DocReader extends Actor {
  private static final int DOCS = 1;
  private static final int NAMESPACES = 2;

  private static final int IDS_MAX = 12;
  private static final int LIMIT_MAX = 60;

  DocReader(ClientContext commons, SeededRandom chance, int index) {
    super(commons, chance, index, false, false);
  }

  @Override
  void act() {
    if (chance.oneIn(4)) {
      listNamespaces();
    } else {
      commons.docDraft.list(caller(), drawQuery(), DOCS);
    }
  }

  private void listNamespaces() {
    int which = chance.oneIn(3) ? DocQuery.OPEN : DocCatalog.anyNamespace(chance);
    int limit = chance.oneIn(3) ? 1 + chance.below(20) : 0;
    commons.docDraft.listNamespaces(caller(), which, chance.oneIn(2), limit, NAMESPACES);
  }

  /** Of many docs mostly a few: nothing in a world takes as long as to read all of them. */
  private DocQuery drawQuery() {
    int namespace = DocCatalog.anyNamespace(chance);
    boolean isLarge = namespace == DocCatalog.LARGE;
    boolean omitsValues = chance.oneIn(2);
    int which = chance.below(10);
    if (which < (isLarge ? 1 : 3)) {
      return DocQuery.all(namespace, omitsValues);
    }
    if (which < 5) {
      return new DocQuery(namespace, DocQuery.OPEN, DocQuery.OPEN, 0, omitsValues, ids(namespace));
    }
    int limit = chance.oneIn(isLarge ? 8 : 2) ? 0 : 1 + chance.below(LIMIT_MAX);
    return new DocQuery(
        namespace, bound(namespace), bound(namespace), limit, omitsValues, List.of());
  }

  private int bound(int namespace) {
    return chance.oneIn(4) ? DocQuery.OPEN : DocCatalog.anyKey(chance, namespace);
  }

  /** Mostly of docs that are there, some of them twice. */
  private List<KnownDoc> ids(int namespace) {
    List<KnownDoc> ids = new ArrayList<>();
    for (int i = 1 + chance.below(IDS_MAX); i > 0; i--) {
      KnownDoc doc = commons.shelves.any(chance, namespace);
      ids.add(doc == null || chance.oneIn(10) ? nobody() : doc);
    }
    return ids;
  }

  private KnownDoc nobody() {
    KnownDoc doc = new KnownDoc();
    TaskIds.withoutText(doc, chance.next(), chance.next());
    return doc;
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (call.purpose == DOCS) {
      List<KnownDoc> docs = commons.docChecks.listed(call, result);
      if (call.query.isForAll()) {
        commons.shelves.clear(call.query.namespace());
      }
      docs.forEach(commons.shelves::saw);
    }
  }
}
