package io.entroq.client.translation;

import io.entroq.api.Doc;
import io.entroq.api.DocSet;
import io.entroq.codec.wire.edge.DocID;
import java.time.Instant;
import java.util.List;

/** Converts docs and doc sets between messages and the API. Any thread. */
public final class WireDocs {
  private WireDocs() {}

  static DocID.Builder id(Doc.Ref doc) {
    return DocID.newBuilder()
        .setNamespace(doc.id().namespace())
        .setId(doc.id().id())
        .setVersion(doc.version());
  }

  static DocID.Builder id(DocSet.Ref set) {
    return DocID.newBuilder()
        .setNamespace(set.namespace())
        .setKey(set.key())
        .setVersion(set.version());
  }

  /** Whether it names a set rather than a doc. */
  static boolean isSet(DocID id) {
    return id.getRefCase() == DocID.RefCase.KEY;
  }

  static Doc.Ref ref(DocID id) {
    return new Doc.Ref(new Doc.Id(id.getNamespace(), id.getId()), id.getVersion());
  }

  static DocSet.Ref setRef(DocID id) {
    return new DocSet.Ref(id.getNamespace(), id.getKey(), id.getVersion());
  }

  /** The docs among docs and sets. */
  public static List<Doc> of(List<io.entroq.codec.wire.edge.Doc> docs) {
    return docs.stream().filter(doc -> !doc.getId().isEmpty()).map(WireDocs::of).toList();
  }

  /** The sets among docs and sets; they have no id. */
  public static List<DocSet> sets(List<io.entroq.codec.wire.edge.Doc> docs) {
    return docs.stream().filter(doc -> doc.getId().isEmpty()).map(WireDocs::set).toList();
  }

  static Doc of(io.entroq.codec.wire.edge.Doc doc) {
    return new Doc(
        new Doc.Id(doc.getNamespace(), doc.getId()),
        doc.getVersion(),
        doc.getClaimant(),
        Instant.ofEpochMilli(doc.getAtMs()),
        doc.getKey(),
        doc.getSecondaryKey(),
        WireTasks.value(doc.hasRaw(), doc.getRaw(), doc.hasContent(), doc.getContent()),
        Instant.ofEpochMilli(doc.getCreatedMs()),
        Instant.ofEpochMilli(doc.getModifiedMs()));
  }

  static DocSet set(io.entroq.codec.wire.edge.Doc set) {
    return new DocSet(
        set.getNamespace(),
        set.getKey(),
        set.getVersion(),
        set.getClaimant(),
        Instant.ofEpochMilli(set.getAtMs()),
        set.getLen());
  }
}
