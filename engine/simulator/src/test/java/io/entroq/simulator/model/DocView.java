package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.NamespaceStats;
import io.entroq.simulator.check.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What reads of docs may see. It shows the model as it is when asked; it changes nothing. */
public final class DocView {
  private final State state;

  DocView(State state) {
    this.state = state;
  }

  /** How many docs there are. */
  public int count() {
    return state.docs.size();
  }

  /** The namespaces that hold docs. */
  public Set<String> namespaces() {
    return state.docs.namespaces();
  }

  /** The doc of an id in a namespace, or null. */
  public Doc find(String namespace, Key id) {
    ModelDoc doc = state.docs.find(new ModelDoc.Name(namespace, id));
    return doc == null ? null : doc.fields();
  }

  // Contract 2.8.

  /** Checks the answer of a listing. */
  public void checkListing(ListDocs query, List<Doc> listed) {
    List<ModelDoc> expected = query.getIdsCount() > 0 ? byId(query) : inRange(query);
    Violation.checkEqual(
        "a listing shows the docs that were asked for, in their order",
        query.getNamespace(),
        expected.stream()
            .map(doc -> query.getOmitValues() ? doc.withoutValue() : doc.fields())
            .toList(),
        listed);
  }

  private List<ModelDoc> byId(ListDocs query) {
    List<ModelDoc> found = new ArrayList<>();
    for (Id id : query.getIdsList()) {
      ModelDoc doc = state.docs.find(new ModelDoc.Name(query.getNamespace(), Key.of(id)));
      if (doc != null && doc.hasText(id)) {
        found.add(doc);
      }
    }
    return found;
  }

  private List<ModelDoc> inRange(ListDocs query) {
    long limit = query.getLimit() <= 0 ? Long.MAX_VALUE : query.getLimit();
    return state.docs.inNamespace(query.getNamespace()).stream()
        .filter(doc -> isInRange(query, doc.fields().getKey()))
        .limit(limit)
        .toList();
  }

  private static boolean isInRange(ListDocs query, String key) {
    return ModelDoc.compareBytes(key, query.getKeyStart()) >= 0
        && (query.getKeyEnd().isEmpty() || ModelDoc.compareBytes(key, query.getKeyEnd()) < 0);
  }

  // Contract 2.9.

  /** Checks the answer of a query of statistics made at the time. */
  public void checkNamespaces(ListNamespaces query, long nowMs, List<NamespaceStats> listed) {
    Set<String> unseen = new HashSet<>(namespaces());
    unseen.removeIf(name -> !matches(query, name));
    int limit = query.getLimit() <= 0 ? Integer.MAX_VALUE : query.getLimit();
    Violation.checkEqual(
        "every namespace that matches is listed",
        query,
        Math.min(limit, unseen.size()),
        listed.size());
    for (NamespaceStats stats : listed) {
      String name = stats.getName();
      Violation.check(unseen.remove(name), "a namespace is listed once", name, 1, listed);
      Violation.checkEqual(
          "statistics of a namespace are what counting gives", name, counted(name, nowMs), stats);
    }
  }

  private static boolean matches(ListNamespaces query, String name) {
    boolean matchesAll = query.getMatchPrefixCount() == 0 && query.getMatchExactCount() == 0;
    return matchesAll
        || query.getMatchExactList().contains(name)
        || query.getMatchPrefixList().stream().anyMatch(name::startsWith);
  }

  private NamespaceStats counted(String name, long nowMs) {
    List<ModelDoc> docs = state.docs.inNamespace(name);
    long claimed =
        docs.stream().filter(doc -> doc.isOtherwiseClaimed(Id.getDefaultInstance(), nowMs)).count();
    return NamespaceStats.newBuilder()
        .setName(name)
        .setDocs(docs.size())
        .setClaimed(claimed)
        .build();
  }
}
