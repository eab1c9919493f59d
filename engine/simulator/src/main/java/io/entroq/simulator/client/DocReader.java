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

/** Lists docs, by key or by id, and namespaces. */
final class DocReader extends Actor {
  private static final int DOCS = 1;
  private static final int NAMESPACES = 2;

  private static final int IDS_MAX = 12;
  private static final int LIMIT_MAX = 60;

  DocReader(ClientContext context, SeededRandom random, int index) {
    super(context, random, index, false, false);
  }

  @Override
  void act() {
    if (random.oneIn(4)) {
      listNamespaces();
    } else {
      context.docDraft.list(caller(), drawQuery(), DOCS);
    }
  }

  private void listNamespaces() {
    int which = random.oneIn(3) ? DocQuery.OPEN : DocCatalog.anyNamespace(random);
    int limit = random.oneIn(3) ? 1 + random.below(20) : 0;
    context.docDraft.listNamespaces(caller(), which, random.oneIn(2), limit, NAMESPACES);
  }

  /** Mostly lists a few docs of a large namespace, because listing all of them is slow. */
  private DocQuery drawQuery() {
    int namespace = DocCatalog.anyNamespace(random);
    boolean isLarge = namespace == DocCatalog.LARGE;
    boolean omitsValues = random.oneIn(2);
    int which = random.below(10);
    if (which < (isLarge ? 1 : 3)) {
      return DocQuery.all(namespace, omitsValues);
    }
    if (which < 5) {
      return new DocQuery(
          namespace, DocQuery.OPEN, DocQuery.OPEN, DocQuery.OPEN, 0, omitsValues, ids(namespace));
    }
    if (which < 6) {
      return DocQuery.ofKey(namespace, DocCatalog.namedKey(random, namespace), omitsValues);
    }
    int limit = random.oneIn(isLarge ? 8 : 2) ? 0 : 1 + random.below(LIMIT_MAX);
    return new DocQuery(
        namespace,
        bound(namespace),
        bound(namespace),
        DocQuery.OPEN,
        limit,
        omitsValues,
        List.of());
  }

  private int bound(int namespace) {
    return random.oneIn(4) ? DocQuery.OPEN : DocCatalog.anyKey(random, namespace);
  }

  /** Mostly ids of existing docs, some of them twice. */
  private List<KnownDoc> ids(int namespace) {
    List<KnownDoc> ids = new ArrayList<>();
    for (int i = 1 + random.below(IDS_MAX); i > 0; i--) {
      KnownDoc doc = context.catalog.any(random, namespace);
      ids.add(doc == null || random.oneIn(10) ? nobody() : doc);
    }
    return ids;
  }

  private KnownDoc nobody() {
    KnownDoc doc = new KnownDoc();
    TaskIds.withoutText(doc, random.next(), random.next());
    return doc;
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (call.purpose == DOCS) {
      List<KnownDoc> docs = context.docChecks.listed(call, result);
      if (call.query.isForAll()) {
        context.catalog.clear(call.query.namespace());
      }
      docs.forEach(context.catalog::observe);
    }
  }
}
