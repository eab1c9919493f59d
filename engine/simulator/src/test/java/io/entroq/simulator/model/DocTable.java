package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Doc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All docs, by namespace and id. */
final class DocTable {
  private final Map<ModelDoc.Name, ModelDoc> docs = new HashMap<>();

  /** The doc of the name, or null. */
  ModelDoc find(ModelDoc.Name name) {
    return docs.get(name);
  }

  ModelDoc insert(Doc fields, long sequence) {
    ModelDoc doc = new ModelDoc(fields, sequence);
    docs.put(doc.name(), doc);
    return doc;
  }

  /** Puts the doc in the place of the one with its name. */
  ModelDoc replace(Doc fields) {
    ModelDoc doc = new ModelDoc(fields, 0);
    return insert(fields, docs.get(doc.name()).insertedAt());
  }

  void remove(ModelDoc.Name name) {
    docs.remove(name);
  }

  /** Whether a doc is what it was. */
  boolean stands(ModelDoc doc) {
    ModelDoc now = docs.get(doc.name());
    return now != null
        && now.insertedAt() == doc.insertedAt()
        && now.fields().getVersion() == doc.fields().getVersion();
  }

  /** The docs of exactly one key, in their order. */
  List<ModelDoc> ofKey(String namespace, String key) {
    return all()
        .filter(doc -> doc.fields().getNamespace().equals(namespace))
        .filter(doc -> doc.fields().getKey().equals(key))
        .sorted(ModelDoc.ORDER)
        .toList();
  }

  /** The docs of a namespace, in their order. */
  List<ModelDoc> inNamespace(String namespace) {
    return all()
        .filter(doc -> doc.fields().getNamespace().equals(namespace))
        .sorted(ModelDoc.ORDER)
        .toList();
  }

  /** The namespaces that hold docs. */
  Set<String> namespaces() {
    return all().map(doc -> doc.fields().getNamespace()).collect(Collectors.toSet());
  }

  Stream<ModelDoc> all() {
    return docs.values().stream();
  }

  int size() {
    return docs.size();
  }
}
