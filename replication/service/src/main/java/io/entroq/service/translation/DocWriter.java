package io.entroq.service.translation;

import com.google.protobuf.ByteString;
import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;

/**
 * Checks the docs of v1 requests and prepares them for encoding. Reused; one thread. Its results
 * are valid until the next call.
 */
final class DocWriter {
  private final DocDataFields doc = new DocDataFields();
  private final BytesView bytes = new BytesView();

  /**
   * A doc to insert. The server sets its times, whatever the request says.
   *
   * @param id of {@link RequestIdentities#newDocId}, or given
   */
  DocDataFields insert(DocData request, IdKey id, int valueBytesMax) {
    begin(request.getNamespace(), id);
    data(request, valueBytesMax);
    return doc;
  }

  /** A doc to change. Its namespace and id are those of {@code old_id}. */
  DocDataFields change(DocChange request, int valueBytesMax) {
    if (!request.hasOldId()) {
      throw RefusedException.invalid("old_id: missing");
    }
    if (!request.hasNewData()) {
      throw RefusedException.invalid("new_data: missing");
    }
    DocData data = request.getNewData();
    try {
      ref(request.getOldId());
    } catch (RefusedException e) {
      throw e.in("old_id");
    }
    try {
      requireNamespace(request.getOldId().getNamespace(), data.getNamespace());
      data(data, valueBytesMax);
    } catch (RefusedException e) {
      throw e.in("new_data");
    }
    return doc.arrivalMs(data.getAtMs());
  }

  private static void requireNamespace(String old, String given) {
    if (!given.isEmpty() && !given.equals(old)) {
      throw RefusedException.invalid("namespace: not that of old_id; a doc cannot move");
    }
  }

  /** A doc to delete or to depend on. */
  DocDataFields ref(DocID request) {
    IdKey id = FieldWriter.itemId(Facade.V1, request.getId(), request.getVersion());
    begin(request.getNamespace(), id);
    return doc.version(request.getVersion());
  }

  private void begin(String namespace, IdKey id) {
    doc.clear();
    doc.namespace().wrap(namespace(namespace));
    FieldWriter.set(doc.id(), id);
  }

  /** Checks the name of a namespace that is written to. */
  static byte[] namespace(String name) {
    if (name.isEmpty()) {
      throw RefusedException.invalid("namespace: missing or empty");
    }
    return FieldWriter.checkedUtf8("namespace", name);
  }

  private void data(DocData request, int valueBytesMax) {
    doc.key().wrap(FieldWriter.checkedUtf8("key", request.getKey()));
    doc.secondaryKey().wrap(FieldWriter.checkedUtf8("secondary_key", request.getSecondaryKey()));
    if (request.hasRaw()) {
      raw(request, valueBytesMax);
    } else if (request.hasContent()) {
      ByteString content = request.getContent();
      FieldWriter.checkValue("content", ValueKinds.JSON, content, valueBytesMax);
      doc.valueKind(ValueKinds.JSON);
      bytes.show(content, doc.value());
    }
  }

  private void raw(DocData request, int valueBytesMax) {
    if (request.hasContent()) {
      throw RefusedException.invalid("raw: content is set too");
    }
    FieldWriter.checkValue("raw", ValueKinds.BYTES, request.getRaw(), valueBytesMax);
    doc.valueKind(ValueKinds.BYTES);
    bytes.show(request.getRaw(), doc.value());
  }
}
