package io.entroq.client;

import io.entroq.api.Doc;
import io.entroq.api.DocId;
import io.entroq.api.DocRef;
import io.entroq.codec.wire.edge.DocID;
import java.time.Instant;
import java.util.List;

/** Converts docs between messages and the API. Any thread. */
final class WireDocs {
  private WireDocs() {}

  static DocID.Builder id(DocRef doc) {
    return DocID.newBuilder()
        .setNamespace(doc.id().namespace())
        .setId(doc.id().id())
        .setVersion(doc.version());
  }

  static DocRef ref(DocID id) {
    return new DocRef(new DocId(id.getNamespace(), id.getId()), id.getVersion());
  }

  static List<Doc> of(List<io.entroq.codec.wire.edge.Doc> docs) {
    return docs.stream().map(WireDocs::of).toList();
  }

  private static Doc of(io.entroq.codec.wire.edge.Doc doc) {
    return new Doc(
        new DocId(doc.getNamespace(), doc.getId()),
        doc.getVersion(),
        doc.getClaimant(),
        Instant.ofEpochMilli(doc.getAtMs()),
        doc.getKey(),
        doc.getSecondaryKey(),
        WireTasks.value(doc.hasRaw(), doc.getRaw(), doc.hasContent(), doc.getContent()),
        Instant.ofEpochMilli(doc.getCreatedMs()),
        Instant.ofEpochMilli(doc.getModifiedMs()));
  }
}
